#pragma once
// Options that several verbs have.

#include <filesystem>
#include <string>
#include <vector>

#include "tellegen/base/config.h"

namespace CLI {
class App;
}

namespace tellegen::cli {

struct SharedOptions {
  std::vector<std::string> set;  ///< "chip.adc.bits=6"
  int threads = 0;               ///< 0: all that the machine has
  std::filesystem::path out;     ///< "" : out/NAME
  bool quiet = false;

  /// Throws InputError where a --set has no '='.
  Overrides overrides() const;
  /// --out, or out/`name`; asked whether `files` can be written there before the work starts. Throws InputError.
  std::filesystem::path output_folder(const std::string& name, const std::vector<std::string>& files = {}) const;
};

/// Adds --set.
void add_set_option(CLI::App& verb, SharedOptions& options);
/// Adds --set, --out and --quiet.
void add_output_options(CLI::App& verb, SharedOptions& options);
/// Adds --threads.
void add_thread_option(CLI::App& verb, SharedOptions& options);

/// Whether writing `output` would replace `input`; no where one of them does not exist.
bool is_same_file(const std::filesystem::path& output, const std::filesystem::path& input);

}  // namespace tellegen::cli
