#include "tellegen/sim/cli/program.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/engine/run.h"

namespace tellegen::cli {
namespace {

constexpr const char* kDescription =
    "Tellegen simulates analog in-memory computing: a trained network (ONNX) and a chip (YAML) go in;\n"
    "accuracy, area, energy and latency come out, each number with its source.";
constexpr const char* kFooter =
    "\nExamples:\n"
    "  tellegen run configs/experiments/fashion_resnet8.yaml\n"
    "  tellegen explain out/fashion_resnet8/run.h5 energy\n"
    "  tellegen help config chip.adc\n"
    "\nExit codes: 0 done, 2 wrong or unsupported input, 3 valid input that cannot be done, 1 a fault of the program.";

/// CLI11 knows that a verb is missing, but not which one was meant.
void check_verb(const CLI::App& program, const std::string& word) {
  std::vector<std::string> verbs;
  for (const CLI::App* verb : program.get_subcommands({})) verbs.push_back(verb->get_name());
  if (word.empty() || word[0] == '-' || std::find(verbs.begin(), verbs.end(), word) != verbs.end()) return;
  const std::string near = nearest(word, verbs);
  std::string known;
  for (const std::string& verb : verbs) known += (known.empty() ? "" : ", ") + verb;
  throw InputError("'" + word + "' is not a verb" + (near.empty() ? "." : "; did you mean '" + near + "'?") +
                   " Verbs: " + known + ".");
}

int failed(std::ostream& err, int code, const std::string& message) {
  err << "tellegen: error: " << message << "\n";
  return code;
}

std::string usage_message(const CLI::ParseError& error) {
  std::string message = error.what();
  if (!message.empty() && message.back() != '.') message += ".";
  return message + " 'tellegen --help' and 'tellegen VERB --help' show what is possible.";
}

}  // namespace

int run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err) {
  CLI::App program(kDescription, "tellegen");
  program.footer(kFooter);
  program.require_subcommand(1);
  program.set_version_flag("--version", "tellegen " + sim::version());
  for (const auto add :
       {add_run, add_sweep, add_compare, add_map, add_explain, add_crossbar, add_spice, add_device, add_help})
    add(program, out);
  try {
    check_verb(program, argc > 1 ? argv[1] : "");
    program.parse(argc, argv);
    return kDone;
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
