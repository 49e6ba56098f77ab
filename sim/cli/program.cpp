#include "tellegen/sim/cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/base/safe_text.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/engine/run.h"

namespace tellegen::cli {
namespace {

constexpr const char* kProgram = "tellegen";
constexpr const char* kDescription =
    "Tellegen simulates analog in-memory computing: a trained network (ONNX) and a chip (YAML) go in;\n"
    "accuracy, area, energy and latency come out, each number with its source.";
constexpr const char* kFooter =
    "\nExamples:\n"
    "  tellegen run configs/experiments/fashion_resnet8.yaml\n"
    "  tellegen explain out/fashion_resnet8/run.h5 energy\n"
    "  tellegen help config chip.adc\n"
    "\nExit codes: 0 done, 2 wrong or unsupported input, 3 valid input that cannot be done, 1 a fault of the program.";

const CLI::App* find_verb(const CLI::App& parent, const std::string& word) {
  for (const CLI::App* verb : parent.get_subcommands([&](const CLI::App* one) { return one->get_name() == word; }))
    return verb;
  return nullptr;
}

/// CLI11 knows that a verb is missing, but not which one was meant. `parent` is the program, or a verb with verbs.
void check_verb(const CLI::App& parent, const std::string& word, const std::string& of) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : parent.get_subcommands({})) verbs.push_back(verb->get_name());
  if (verbs.empty() || word.empty() || word[0] == '-' || find_verb(parent, word) != nullptr) return;
  const std::string near = nearest(word, verbs);
  std::string known;
  for (const std::string& verb : verbs) known += (known.empty() ? "" : ", ") + verb;
  throw InputError("'" + word + "' is not a verb" + of + (near.empty() ? "." : "; did you mean '" + near + "'?") +
                   " Verbs: " + known + ".");
}

/// Words that CLI11 would refuse without a proposal.
void check_verbs(const CLI::App& program, const std::vector<std::string>& words) {
  if (words.empty()) return;
  check_verb(program, words[0], "");
  const CLI::App* verb = find_verb(program, words[0]);
  if (verb != nullptr && words.size() > 1) check_verb(*verb, words[1], " of 'tellegen " + words[0] + "'");
}

/// Help where nothing else is asked for: 'tellegen', 'tellegen help', 'tellegen help run', 'tellegen device'; "" elsewhere.
std::string help_text(const CLI::App& program, const std::vector<std::string>& words) {
  if (words.empty() || words == std::vector<std::string>{"help"}) return program.help();
  const CLI::App* verb = find_verb(program, words[0]);
  if (words.size() == 1 && verb != nullptr && !verb->get_subcommands({}).empty()) return verb->help(kProgram);
  const bool names_manual = verb != nullptr && words.size() > 1 && find_verb(*verb, words[1]) != nullptr;
  if (words[0] != "help" || words.size() != 2 || names_manual) return "";
  const CLI::App* explained = find_verb(program, words[1]);
  return explained == nullptr ? "" : explained->help(kProgram);
}

/// What CLI11 calls subcommands are verbs here.
void name_verbs(CLI::App& parent) {
  for (CLI::App* verb : parent.get_subcommands({})) {
    verb->group("Verbs");
    name_verbs(*verb);
  }
}

int failed(std::ostream& err, int code, const std::string& message) {
  err << "tellegen: error: " << printable(message) << "\n";
  return code;
}

/// Text that nobody got is no success.
int delivered(std::ostream& out, std::ostream& err) {
  if (out.flush()) return kDone;
  return failed(err, kWrongInput,
                "the text could not be written to the standard output (closed, or its disk is full).");
}

std::string usage_message(const CLI::ParseError& error) {
  std::string message = error.what();
  if (message == "A subcommand is required") message = "A verb is missing.";
  if (!message.empty() && message.back() != '.') message += ".";
  return message + " 'tellegen --help' and 'tellegen VERB --help' show what is possible.";
}

}  // namespace

int run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App program(kDescription, kProgram);
  program.footer(kFooter);
  program.require_subcommand(0, 1);
  program.get_formatter()->label("SUBCOMMAND", "VERB");
  program.set_version_flag("--version", "tellegen " + sim::version());
  for (const auto add : {add_run, add_sweep, add_compare, add_map, add_convert, add_feed_forward, add_explain,
                         add_crossbar, add_spice, add_device, add_circuit, add_validate, add_help})
    add(program, out);
  name_verbs(program);
  try {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (const std::string help = help_text(program, words); !help.empty()) {
      out << help;
      return delivered(out, err);
    }
    check_verbs(program, words);
    program.parse(argc, argv);
    return delivered(out, err);
  } catch (const CLI::CallForHelp& help) {
    return program.exit(help, out, err);
  } catch (const CLI::CallForVersion& version) {
    return program.exit(version, out, err);
  } catch (const CLI::ParseError& error) {
    return failed(err, kWrongInput, usage_message(error));
  } catch (const InputError& error) {
    return failed(err, kWrongInput, error.what());
  } catch (const RefusedError& refused) {
    return failed(err, kRefused, refused.what());
  } catch (const std::exception& error) {
    return failed(err, kOurFault,
                  std::string(error.what()) + " This is a fault of the program, not of your input; please report it.");
  }
}

}  // namespace tellegen::cli
