// Programming and one read of 16 M cells for each statistical device, against the cost of the normal draws that it
// makes per cell, measured in turns in the same run. Exit code 1 where a device takes more than twice as long.
//
// Cells are processed as arrays of 256 x 256, as a chip does, in memory that is reused: the first touch of fresh memory
// costs more than the draws and says nothing about a device.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/devices/conductance_device.h"

namespace tellegen::devices {
namespace {

constexpr std::size_t array_cells = 256 * 256;
constexpr std::uint32_t arrays = 256;  // 16.8 M cells
constexpr int repetitions = 5;
constexpr double most_times_the_draws = 2;

/// Draws per cell in programming, ageing and reading; the stuck-at words of a device with faults count as one draw.
struct Case {
  const char* device;
  int programming, ageing, reading;
  bool formulas = true;
  int draws() const { return programming + ageing + reading; }
};
constexpr Case cases[] = {
    {"generic", 2, 0, 1},      {"pcm_joshi", 1, 1, 1}, {"pcm_hermes_1", 1, 1, 1},
    {"pcm_hermes_2", 1, 1, 1}, {"rram_wan", 1, 1, 1},  {"rram_cmo", 1, 1, 1},
    {"rram_milo", 1, 0, 0},    {"sonos", 1, 1, 1},     {"measured", 1, 1, 0, false},
};

struct File {
  DeviceConfig device;
  void settings(Settings& v) { v.section("device", device, "the cells"); }
};

/// Processor time of this thread, which other programs on the machine do not hurt much.
double now_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

/// All memory of a run.
struct Memory {
  std::vector<float> target_S = std::vector<float>(array_cells);
  std::vector<float> read_S = std::vector<float>(array_cells);
  ProgrammedCells cells;
  ReadStatistics statistics;
};

ArrayAddress address_of(std::uint32_t array) { return {1, {0, array, 0}}; }

double device_s(const ConductanceDevice& device, const Conditions& conditions, Memory& memory) {
  const double start_s = now_s();
  for (std::uint32_t array = 0; array < arrays; ++array) {
    const ArrayAddress address = address_of(array);
    device.program_into(memory.target_S, address, memory.cells);
    device.read_into(memory.cells, conditions, address, memory.statistics);
    sample_read(memory.statistics, address.stream(Purpose::read_noise), 0, memory.read_S);
  }
  return now_s() - start_s;
}

double draws_s(int per_cell, Memory& memory) {
  const double start_s = now_s();
  for (std::uint32_t array = 0; array < arrays; ++array) {
    for (int draw = 0; draw < per_cell; ++draw) {
      Stream(1, static_cast<Purpose>(draw + 1), {0, array, 0}).normals(0, memory.read_S);
    }
  }
  return now_s() - start_s;
}

/// Prints a line; whether the goal is met.
bool run(const Case& c) {
  File file;
  read_config(std::filesystem::path("configs/devices") / (std::string(c.device) + ".yaml"), file);
  const auto device = file.device.make();
  Memory memory;
  const double low_S = device->g_min().si(), range_S = device->g_max().si() - low_S;
  for (std::size_t i = 0; i < array_cells; ++i) {
    memory.target_S[i] = static_cast<float>(low_S + range_S * static_cast<double>(i) / (array_cells - 1));
  }
  double device_best_s = std::numeric_limits<double>::infinity(), draws_best_s = device_best_s;
  for (int r = 0; r < repetitions; ++r) {
    device_best_s = std::min(device_best_s, device_s(*device, file.device.conditions, memory));
    draws_best_s = std::min(draws_best_s, draws_s(c.draws(), memory));
  }
  const double per_cell_ns = 1e9 / (static_cast<double>(array_cells) * arrays);
  const double ratio = device_best_s / draws_best_s;
  const bool met = ratio <= most_times_the_draws;
  fmt::print("{:<14} {:>6} {:>12.2f} {:>12.2f} {:>8.2f}  {}\n", c.device, c.draws(), draws_best_s * per_cell_ns,
             device_best_s * per_cell_ns, ratio,
             !c.formulas ? "no goal"
             : met       ? "met"
                         : "MISSED");
  std::fflush(stdout);
  return met || !c.formulas;
}

}  // namespace
}  // namespace tellegen::devices

int main() {
  std::filesystem::current_path(TELLEGEN_SOURCE_DIR);
  fmt::print("{:<14} {:>6} {:>12} {:>12} {:>8}  goal {}\n", "device", "draws", "draws ns", "all ns", "ratio",
             tellegen::devices::most_times_the_draws);
  bool all_met = true;
  for (const auto& c : tellegen::devices::cases) all_met = tellegen::devices::run(c) && all_met;
  return all_met ? 0 : 1;
}
