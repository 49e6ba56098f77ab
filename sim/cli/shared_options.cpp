#include "tellegen/sim/cli/shared_options.h"

#include <CLI/CLI.hpp>
#include <charconv>

#include "tellegen/sim/report/output_folder.h"

namespace tellegen::cli {

namespace {

/// A validator of the command line's parser, whose own messages do not say what is allowed.
std::string check_threads(const std::string& text) {
  constexpr int kMost = 1024;
  int threads = 0;
  const char* const end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, threads);
  if (error == std::errc{} && read == end && threads >= 0 && threads <= kMost) return "";
  throw InputError("--threads = '" + text + "' is not a number of threads; allowed: 0 (all that the machine has) to " +
                   std::to_string(kMost) + ".");
}

}  // namespace

Overrides SharedOptions::overrides() const {
  Overrides overrides;
  for (const std::string& text : set) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw InputError("--set '" + text + "' is not SETTING=VALUE. Write for example --set chip.adc.bits=6.");
    }
    overrides.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return overrides;
}

std::filesystem::path SharedOptions::output_folder(const std::string& name,
                                                   const std::vector<std::string>& files) const {
  const std::filesystem::path folder = out.empty() ? std::filesystem::path("out") / name : out;
  report::require_writable(folder, files);
  return folder;
}

void add_set_option(CLI::App& verb, SharedOptions& options) {
  // One value per --set, so that a file name may follow it.
  verb.add_option("--set", options.set, "Change a setting of the experiment: --set chip.adc.bits=6. May be repeated.")
      ->type_name("SETTING=VALUE")
      ->expected(1)
      ->take_all();
}

void add_output_options(CLI::App& verb, SharedOptions& options) {
  add_set_option(verb, options);
  verb.add_option("--out", options.out, "Folder for the results; out/NAME where it is not given.")->type_name("FOLDER");
  verb.add_flag("--quiet", options.quiet, "Print nothing but errors.");
}

void add_thread_option(CLI::App& verb, SharedOptions& options) {
  verb.add_option("--threads", options.threads,
                  "Number of threads; 0: all that the machine has. Results do not depend on it.")
      ->type_name("N")
      ->check(CLI::Validator(check_threads, ""));
}

bool is_same_file(const std::filesystem::path& output, const std::filesystem::path& input) {
  std::error_code ignored;
  return std::filesystem::equivalent(output, input, ignored);
}

}  // namespace tellegen::cli
