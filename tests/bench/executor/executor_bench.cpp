// The float executor against ONNX Runtime on networks of the zoo, one thread each, in one run, and its memory for few and for
// all samples. Exit code 1 where a goal is missed.
//   tellegen_executor_bench                        the tables
//   tellegen_executor_bench --peak NETWORK COUNT   the peak memory in kB of evaluating so many samples (0: all)

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <string>

#include "contestants.h"
#include "tellegen/base/blas.h"
#include "tellegen/base/external_program.h"

namespace {

using namespace tellegen;

constexpr double kRatio = 2;           ///< to ONNX Runtime, at most
constexpr double kMemoryGrowth = 1.1;  ///< from 100 samples to all; inputs kept as floats would be 30 MB more
constexpr double kDifference = 1e-4;   ///< of outputs, as a part of the largest, so that both did the same work
constexpr int kTurns = 3;
constexpr double kTurn_s = 1;

struct Entry {
  const char* network;
  const char* data;
  bool has_goal;
};
constexpr Entry kEntries[] = {{"resnet8_fashion", "fashion_test.h5", true}, {"lstm_mnist", "mnist_test.h5", true},
                              {"lm_swiglu", "sotu_test.h5", true},          {"vit_mnist", "mnist_test.h5", false},
                              {"lenet_fashion", "fashion_test.h5", false},  {"cnn_mnist", "mnist_test.h5", false},
                              {"mbnet_fashion", "fashion_test.h5", false},  {"gru_mnist", "mnist_test.h5", false},
                              {"silero_vad_16k", "vad_speech.h5", false}};

struct Times {
  double best_s = std::numeric_limits<double>::infinity(), median_s = 0;
};
Times times_of(std::vector<double> times_s) {
  std::ranges::sort(times_s);
  return {times_s.front(), times_s[times_s.size() / 2]};
}

/// Largest difference over the largest number.
double difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 1, apart = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, std::abs(static_cast<double>(b[i])));
    apart = std::max(apart, std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i])));
  }
  return apart / largest;
}

/// One row of the table of times; whether its goal is met.
bool race(const Entry& entry) {
  const bench::Contest contest(entry.network, entry.data);
  const models::Tensor batch = contest.set->batch(0, models::Evaluation{}.batch);
  std::vector<double> ours_s, theirs_s;
  double apart = 0;
  for (int turn = 0; turn < kTurns; ++turn) {
    const bench::Runs ours = bench::run_executor(contest, batch, kTurn_s);
    ours_s.insert(ours_s.end(), ours.times_s.begin(), ours.times_s.end());
    const auto theirs = bench::run_onnx_runtime(contest, batch, kTurn_s);
    if (!theirs) break;
    theirs_s.insert(theirs_s.end(), theirs->times_s.begin(), theirs->times_s.end());
    apart = std::max(apart, difference(ours.output, theirs->output));
  }
  const Times ours = times_of(ours_s);
  const double ms = 1e3 / static_cast<double>(batch.shape[0]);
  if (theirs_s.empty()) {
    fmt::print("{:<18} {:>9.4f} {:>9}\n", entry.network, ours.best_s * ms, "-");
    return true;
  }
  const Times theirs = times_of(theirs_s);
  const double ratio = ours.best_s / theirs.best_s;
  const bool met = (!entry.has_goal || ratio <= kRatio) && apart <= kDifference;
  fmt::print("{:<18} {:>9.4f} {:>9.4f} {:>7.2f} {:>9.2f} {:>10.1e}  {}\n", entry.network, ours.best_s * ms,
             theirs.best_s * ms, ratio, ours.median_s / theirs.median_s, apart,
             !met             ? "MISSED"
             : entry.has_goal ? "met"
                              : "no goal");
  return met;
}

/// Of this program alone: what getrusage says begins with the program that started it.
std::string peak_kB() {
  const std::string status = bytes_of("/proc/self/status");
  const std::size_t place = status.find("VmHWM:");
  return place == std::string::npos ? "" : status.substr(place + 6, status.find(" kB", place) - place - 6);
}

int print_peak(const std::string& network, std::int64_t samples) {
  for (const Entry& entry : kEntries) {
    if (network != entry.network) continue;
    const bench::Contest contest(entry.network, entry.data);
    models::evaluate(contest.network, *contest.set, {.samples = samples, .threads = 1});
    std::fputs(peak_kB().c_str(), stdout);
    return 0;
  }
  return 2;
}

/// In a process of its own, for a peak does not come down again.
double peak_MB(const char* program, const Entry& entry, const char* samples) {
  const std::filesystem::path words =
      std::filesystem::temp_directory_path() / fmt::format("tellegen_peak_{}", static_cast<const void*>(&entry));
  const auto code = run_external({program, "--peak", entry.network, samples}, words);
  const double kB = code == 0 ? std::atof(bytes_of(words).c_str()) : 0;
  std::filesystem::remove(words);
  return kB / 1024;
}

bool compare_memory(const char* program, const Entry& entry) {
  const double few_MB = peak_MB(program, entry, "100"), all_MB = peak_MB(program, entry, "0");
  const bool met = few_MB > 0 && all_MB > 0 && all_MB <= kMemoryGrowth * few_MB;
  fmt::print("{:<18} {:>9.1f} {:>9.1f} {:>7.3f}  {}\n", entry.network, few_MB, all_MB, all_MB / few_MB,
             met ? "met" : "MISSED");
  return met;
}

}  // namespace

int main(int argc, char** argv) {
  use_single_threaded_blas();
  if (argc == 4 && std::strcmp(argv[1], "--peak") == 0) return print_peak(argv[2], std::atoll(argv[3]));
  bool met = true;
  fmt::print("ms per input, batch {}, one thread, processor time; goal: at most {} times ONNX Runtime\n",
             models::Evaluation{}.batch, kRatio);
  fmt::print("{:<18} {:>9} {:>9} {:>7} {:>9} {:>10}\n", "network", "Tellegen", "ONNX RT", "ratio", "(median)",
             "difference");
  for (const Entry& entry : kEntries) met = race(entry) && met;
  fmt::print("\npeak memory in MB, test set included; goal: at most {} times from 100 samples to all\n", kMemoryGrowth);
  fmt::print("{:<18} {:>9} {:>9} {:>7}\n", "network", "100", "all", "ratio");
  for (const Entry& entry : kEntries) {
    if (entry.has_goal) met = compare_memory(argv[0], entry) && met;
  }
  return met ? 0 : 1;
}
