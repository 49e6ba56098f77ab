#pragma once
// Runs the real program as a process, in a folder of its own.

#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace tellegen::flow {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;
  std::string out, err;
};

inline std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

/// A temporary folder, removed at the end, in which the program is started.
class Workplace {
 public:
  Workplace() {
    std::string name = (fs::temp_directory_path() / "tellegen-flow-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  ~Workplace() { fs::remove_all(folder_); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;

  const fs::path& folder() const { return folder_; }
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name, std::ios::binary) << text;
  }

  /// `arguments` as a shell would read them; `before` is a command of the shell, such as "ulimit -f 100".
  Outcome run(const std::string& arguments, const std::string& before = "true") const {
    const std::string command = "cd '" + folder_.string() + "' && " + before + " && OPENBLAS_NUM_THREADS=1 '" +
                                TELLEGEN_PROGRAM + "' " + arguments + " >.stdout 2>.stderr </dev/null";
    const int status = std::system(command.c_str());
    Outcome outcome;
    outcome.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    outcome.out = content_of(folder_ / ".stdout");
    outcome.err = content_of(folder_ / ".stderr");
    return outcome;
  }

  /// All files and folders besides the captured output, sorted.
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder_)) {
      const std::string name = fs::relative(entry.path(), folder_).string();
      if (name[0] != '.') names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  fs::path folder_;
};

inline std::string source_file(const std::string& path) { return std::string(TELLEGEN_SOURCE_DIR) + "/" + path; }

}  // namespace tellegen::flow
