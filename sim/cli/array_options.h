#pragma once
// Options of verbs that take one's own array: the file, and what changes its circuit.

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/sim/crossbar/array_file.h"
#include "tellegen/sim/crossbar/charge_file.h"

namespace CLI {
class App;
}

namespace tellegen::cli {

/// Texts as given; empty where not.
struct ArrayOptions {
  std::filesystem::path file, voltages;
  std::optional<std::string> row_wire, column_wire, driver, sense_resistance, access, v0, drive, sense, cell;

  /// The first of the options beside the file that is given: "--row-wire"; empty where there is none.
  std::string first_given() const;
  /// The file with the options over what it tells. Throws InputError.
  array::ArrayFile read() const;
  /// The file as an array of capacitors. Throws InputError, also where an option for conductances is given.
  array::ChargeFile read_charge() const;
};

void add_array_options(CLI::App& verb, ArrayOptions& options);

/// Which of `choices`, pairs of value and name, `text` names. Throws InputError with the near name and all of them.
template <class T, class Choices>
T chosen(const std::string& option, const std::string& text, const Choices& choices) {
  std::vector<std::string> names;
  std::string list;
  for (const auto& [value, name] : choices) {
    if (text == name) return value;
    names.emplace_back(name);
    list += (list.empty() ? "" : ", ") + names.back();
  }
  const std::string near = nearest(text, names);
  throw InputError(option + " '" + text + "' is not known" + (near.empty() ? "" : "; did you mean '" + near + "'?") +
                   (near.empty() ? ". " : " ") + "Allowed: " + list + ".");
}

}  // namespace tellegen::cli
