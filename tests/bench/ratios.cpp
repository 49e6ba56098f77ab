#include "ratios.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "jobs.h"

namespace tellegen::bench {
namespace {

struct Times {
  double best_s, median_s;
};

/// Processor time of one thread is not hurt by other programs on the machine; the gain from a second thread is wall
/// time.
enum class Clock { thread, wall };

double now_s(Clock clock) {
  timespec time{};
  clock_gettime(clock == Clock::thread ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

double seconds(Clock clock, const std::function<void()>& work) {
  const double start_s = now_s(clock);
  work();
  return now_s(clock) - start_s;
}

/// Times of every contestant, which take turns `repetitions` times after one warm-up.
std::vector<Times> race(Clock clock, int repetitions, const std::vector<std::function<void()>>& contestants) {
  std::vector<std::vector<double>> samples(contestants.size());
  for (const auto& contestant : contestants) contestant();
  for (int r = 0; r < repetitions; ++r) {
    for (std::size_t i = 0; i < contestants.size(); ++i) samples[i].push_back(seconds(clock, contestants[i]));
  }
  std::vector<Times> times;
  for (std::vector<double>& sample : samples) {
    std::ranges::sort(sample);
    times.push_back({sample.front(), sample[sample.size() / 2]});
  }
  return times;
}

struct Row {
  const char* what;
  Times work, reference;
  double goal;
  bool at_least;  ///< the goal is a speed (reference / work) that must be reached, else a cost (work / reference) not
                  ///< exceeded
};

void add(Ratios& ratios, const Row& row) {
  const double best = row.at_least ? row.reference.best_s / row.work.best_s : row.work.best_s / row.reference.best_s;
  const double median =
      row.at_least ? row.reference.median_s / row.work.median_s : row.work.median_s / row.reference.median_s;
  const bool met = row.at_least ? best >= row.goal : best <= row.goal;
  ratios.table +=
      fmt::format("{:<62} {:>8.3f} {:>8.3f} {:>9.2f} {:>9.2f}  {} {:<5} {}\n", row.what, row.reference.best_s * 1e3,
                  row.work.best_s * 1e3, best, median, row.at_least ? ">=" : "<=", row.goal, met ? "met" : "MISSED");
  ratios.met = ratios.met && met;
}

void measure_wide_tile(Ratios& ratios, int repetitions) {
  const Shape shape{64, 1152, 256};
  Job ideal(shape, {.read_noise = false, .bits = {0}});
  Job noisy(shape, {});
  Job sliced(shape, {.input_slices = 8, .weight_slices = 4});
  const auto times =
      race(Clock::thread, repetitions, {[&] { ideal.run_product(); }, [&] { ideal.run(1); }, [&] { noisy.run(1); }});
  const auto sliced_times =
      race(Clock::thread, std::max(3, repetitions / 10), {[&] { sliced.run_product(); }, [&] { sliced.run(1); }});
  add(ratios, {"1152 x 256, batch 64: ideal, time over sgemm", times[1], times[0], 1.3, false});
  add(ratios, {"1152 x 256, batch 64: noise, 8-bit converters", times[2], times[0], 4, false});
  add(ratios, {"1152 x 256, batch 64: 8 x 4 slices with noise", sliced_times[1], sliced_times[0], 100, false});
}

void measure_square_tile(Ratios& ratios, int repetitions) {
  Job noisy({1000, 512, 512}, {});
  const auto times = race(Clock::thread, repetitions, {[&] { noisy.run_product(); }, [&] { noisy.run(1); }});
  const auto wall = race(Clock::wall, repetitions, {[&] { noisy.run(1); }, [&] { noisy.run(2); }});
  add(ratios, {"512 x 512, batch 1000: noise, 8-bit converters, share of sgemm", times[1], times[0], 0.45, true});
  add(ratios, {"512 x 512, batch 1000: the same, two threads over one", wall[1], wall[0], 1.8, true});
}

}  // namespace

Ratios measure_ratios(int repetitions) {
  Ratios ratios;
  ratios.table =
      fmt::format("{:<62} {:>8} {:>8} {:>9} {:>9}  {}\n", "work", "ref ms", "work ms", "ratio", "(median)", "goal");
  measure_wide_tile(ratios, repetitions);
  measure_square_tile(ratios, repetitions);
  return ratios;
}

}  // namespace tellegen::bench
