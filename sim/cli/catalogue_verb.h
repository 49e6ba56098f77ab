#pragma once
// What the verbs of a catalogue (devices, circuits) have in common: to list it, to describe an entry, to measure one by a
// protocol.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/base/table.h"
#include "tellegen/base/units.h"
#include "tellegen/sim/characterize/characterization.h"
#include "tellegen/sim/cli/manual.h"
#include "tellegen/sim/cli/paragraph.h"
#include "tellegen/sim/cli/shared_options.h"

namespace tellegen::cli {

struct ProtocolOptions {
  std::string name, protocol, plot;
  std::uint64_t seed = 1;
  SharedOptions shared;
};

/// Adds the name of a `thing`, --protocol (`protocols` says which there are) and --plot.
void add_protocol_options(CLI::App& verb, const std::string& thing, const std::string& protocols,
                          ProtocolOptions& options);
/// Adds --seed and those of add_output_options, which stand last.
void add_seed_and_output_options(CLI::App& verb, ProtocolOptions& options);

/// Checks the name of the figure, then measures, writes tables and figure, and says what stands out and what was written.
/// Throws InputError where the figure or the folder cannot be written, and as `measure` does.
void write_measured(const ProtocolOptions& options, const std::function<characterize::Characterization()>& measure,
                    std::ostream& out);

/// One table per kind, under what `heading` says of its first entry.
template <class Entry, class Heading>
std::string list_text(const std::vector<Entry>& all, const char* column, const Heading& heading) {
  std::string text;
  for (auto first = all.begin(); first != all.end();) {
    const auto last = std::find_if(first, all.end(), [&](const Entry& other) { return other.kind != first->kind; });
    text += (text.empty() ? "" : "\n") + heading(*first) + "\n";
    Table table({{column, Table::Align::left}, {"what", Table::Align::left}});
    for (; first != last; ++first) table.row({first->name, first->summary});
    text += table.text();
  }
  return text;
}

/// Everything there is to say about an entry of `tellegen VERB`.
template <class Entry>
std::string description_text(const Entry& entry, const std::string& verb, const std::vector<std::string>& protocols) {
  return entry.name + ": " + kind_name(entry.kind) + "\n" + paragraph(entry.summary) + "\nequations\n" +
         paragraph(entry.equations) + "\nsource\n" + paragraph(entry.source) + "\nsmallest use\n  " +
         entry.smallest_yaml + "\n\nprotocols of 'tellegen " + verb + " characterize " + entry.name + "'\n  " +
         joined(protocols) + "\n\nsettings\n" + manual_text(settings_of(entry), "");
}

/// A quantity of the command line in SI units, nothing for ""; the message names the option. Throws InputError where it
/// is no such quantity or `accepts` says no, with `allowed`.
template <class Q, class Accepts>
std::optional<Q> option_quantity(const std::string& option, const std::string& text, const Accepts& accepts,
                                 const std::string& allowed) {
  if (text.empty()) return std::nullopt;
  double value = 0;
  try {
    value = parse_quantity(text, Q::dimension);
  } catch (const UnitError& error) {
    throw InputError(option + " = '" + text + "' " + error.reason());
  }
  if (!accepts(value)) throw InputError(option + " = '" + text + "' is out of range; allowed: " + allowed + ".");
  return Q::si(value);
}

}  // namespace tellegen::cli
