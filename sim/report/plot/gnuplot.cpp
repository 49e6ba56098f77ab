#include "tellegen/sim/report/plot/gnuplot.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tellegen/base/output_file.h"
#include "tellegen/base/temporary_file.h"

extern char** environ;

namespace tellegen::plot {
namespace {

std::string content_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// Where a child process reads from and writes to.
class Redirection {
 public:
  explicit Redirection(const std::string& errors) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&actions_, 2, errors.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  }
  ~Redirection() { posix_spawn_file_actions_destroy(&actions_); }
  Redirection(const Redirection&) = delete;
  Redirection& operator=(const Redirection&) = delete;
  const posix_spawn_file_actions_t* actions() const { return &actions_; }

 private:
  posix_spawn_file_actions_t actions_;
};

constexpr int no_such_program = 127;  // exit code of a child that found nothing to run

/// Exit code of `gnuplot script`.
int run_gnuplot(const std::string& script, const std::string& errors) {
  const Redirection redirection(errors);
  std::string program = "gnuplot", argument = script;
  char* const arguments[] = {program.data(), argument.data(), nullptr};
  pid_t child = 0;
  const int failed = posix_spawnp(&child, program.c_str(), redirection.actions(), nullptr, arguments, environ);
  if (failed == ENOENT || failed == EACCES) return no_such_program;
  if (failed != 0) throw std::runtime_error(fmt::format("gnuplot could not be started (error {}).", failed));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

Drawn draw(const Figure& figure, const std::filesystem::path& file) {
  TemporaryFile image(file);
  const TemporaryFile script(file.string() + ".gnuplot"), errors(file.string() + ".errors");
  write_text_file(script.path(), gnuplot_script(figure, file, image.path()));
  const int code = run_gnuplot(script.path().string(), errors.path().string());
  if (code == no_such_program) return Drawn::gnuplot_is_missing;
  if (code != 0) {
    throw std::runtime_error(fmt::format("gnuplot failed on '{}': {}", file.string(), content_of(errors.path())));
  }
  image.commit();
  return Drawn::yes;
}

std::string missing_gnuplot_message(const std::filesystem::path& file) {
  return fmt::format(
      "'{}' was not drawn: the program gnuplot was not found. The data are written; install the package gnuplot-nox "
      "and "
      "run again for the figure.",
      file.string());
}

}  // namespace tellegen::plot
