#include "contestants.h"

#include <time.h>
#include <unistd.h>

#include <fstream>
#include <sstream>
#include <string>

#include "tellegen/base/external_program.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::bench {

namespace {

double thread_time_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

std::string text_of(const models::Shape& shape) {
  std::string text;
  for (const std::int64_t dimension : shape) text += (text.empty() ? "" : ",") + std::to_string(dimension);
  return text;
}

template <class Number>
void write_numbers(const std::filesystem::path& file, const std::vector<float>& values) {
  const std::vector<Number> numbers(values.begin(), values.end());
  std::ofstream(file, std::ios::binary)
      .write(reinterpret_cast<const char*>(numbers.data()), std::ssize(numbers) * std::streamsize{sizeof(Number)});
}

/// A folder that is gone when the race is over.
struct Folder {
  Folder() : path(std::filesystem::temp_directory_path() / ("tellegen_bench_" + std::to_string(getpid()))) {
    std::filesystem::create_directories(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::filesystem::path path;
};

}  // namespace

Contest::Contest(const char* name, const char* data)
    : model(std::filesystem::path(TELLEGEN_SOURCE_DIR) / "models/trained" / (std::string(name) + ".onnx")),
      network(models::import_onnx(model)),
      set(models::load_test_set(std::filesystem::path(TELLEGEN_SOURCE_DIR) / "models/data" / data, network)) {}

Runs run_executor(const Contest& contest, const models::Tensor& batch, double seconds) {
  Runs runs;
  models::execute(contest.network, batch);
  for (double total_s = 0; total_s < seconds || runs.times_s.size() < 3; total_s += runs.times_s.back()) {
    const double start_s = thread_time_s();
    models::Tensor output = models::execute(contest.network, batch);
    runs.times_s.push_back(thread_time_s() - start_s);
    runs.output = std::move(output.data);
  }
  return runs;
}

std::optional<Runs> run_onnx_runtime(const Contest& contest, const models::Tensor& batch, double seconds) {
  const Folder folder;
  const std::filesystem::path input = folder.path / "input", output = folder.path / "output",
                              words = folder.path / "words";
  const bool integer = contest.network.values[static_cast<std::size_t>(contest.network.input)].integer;
  if (integer)
    write_numbers<std::int64_t>(input, batch.data);
  else
    write_numbers<float>(input, batch.data);
  const std::string script = std::string(TELLEGEN_SOURCE_DIR) + "/tests/bench/executor/run_onnx_runtime.mjs";
  const std::optional<int> code =
      run_external({"node", script, contest.model.string(), input.string(), text_of(batch.shape),
                    integer ? "int64" : "float32", output.string(), std::to_string(seconds)},
                   words);
  if (code != 0) return std::nullopt;
  Runs runs;
  std::istringstream lines(bytes_of(words));
  for (double time_s = 0; lines >> time_s;) runs.times_s.push_back(time_s);
  const std::string bytes = bytes_of(output);
  runs.output.resize(bytes.size() / sizeof(float));
  bytes.copy(reinterpret_cast<char*>(runs.output.data()), runs.output.size() * sizeof(float));
  return runs;
}

}  // namespace tellegen::bench
