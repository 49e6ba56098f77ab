#include "tellegen/circuits/spice/ngspice.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tellegen/base/error.h"
#include "tellegen/base/output_file.h"
#include "tellegen/base/temporary_file.h"
#include "tellegen/circuits/spice/raw_file.h"

extern char** environ;

namespace tellegen::circuits {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Where the child writes what it says.
class Redirection {
 public:
  explicit Redirection(const std::string& words) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, words.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_adddup2(&actions_, 1, 2);
  }
  ~Redirection() { posix_spawn_file_actions_destroy(&actions_); }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

constexpr int no_such_program = 127;

/// Exit code of `ngspice -b -r raw deck`.
int run(const std::string& deck, const std::string& raw, const std::string& words) {
  const Redirection redirection(words);
  std::vector<std::string> texts{"ngspice", "-b", "-r", raw, deck};
  std::vector<char*> arguments;
  for (std::string& text : texts) arguments.push_back(text.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, "ngspice", redirection.actions(), nullptr, arguments.data(), environ);
  if (failed == ENOENT || failed == EACCES) return no_such_program;
  if (failed != 0) throw std::runtime_error(fmt::format("ngspice could not be started (error {}).", failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::vector<double> outputs_of(const Deck& deck, const std::string& content) {
  const auto point = first_point(content);
  std::vector<double> out;
  for (const DeckOutput& output : deck.outputs) {
    double sum = 0;
    for (const std::string& vector : output.vectors) {
      const auto found = point.find(vector);
      if (found == point.end()) throw std::runtime_error("ngspice has no answer for '" + vector + "'.");
      sum += deck.imaginary ? found->second.imag() : found->second.real();
    }
    out.push_back(output.factor * sum);
  }
  return out;
}

}  // namespace

std::optional<std::vector<double>> run_ngspice(const Deck& deck, const std::filesystem::path& folder) {
  const bool cut_off = std::all_of(deck.outputs.begin(), deck.outputs.end(),
                                   [](const DeckOutput& output) { return output.vectors.empty(); });
  // Without any output there is nothing to run, and ngspice refuses an empty list of vectors.
  if (cut_off) return std::vector<double>(deck.outputs.size());
  const TemporaryFile file(folder / "ngspice.cir"), raw(folder / "ngspice.raw"), words(folder / "ngspice.log");
  write_text_file(file.path(), deck.text);
  const int code = run(file.path().string(), raw.path().string(), words.path().string());
  if (code == no_such_program) return std::nullopt;
  const std::string content = content_of(raw.path());
  if (code != 0 || content.empty()) {
    throw std::runtime_error(fmt::format("ngspice failed: {}", content_of(words.path())));
  }
  return outputs_of(deck, content);
}

double relative_difference(std::span<const double> ours, std::span<const double> theirs) {
  TELLEGEN_ASSERT(ours.size() == theirs.size());
  double difference = 0;
  double largest = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    difference = std::max(difference, std::fabs(ours[k] - theirs[k]));
    largest = std::max(largest, std::fabs(theirs[k]));
  }
  return largest > 0 ? difference / largest : difference;
}

}  // namespace tellegen::circuits
