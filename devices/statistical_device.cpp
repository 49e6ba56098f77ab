#include "tellegen/devices/statistical_device.h"

#include <xmmintrin.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "tellegen/base/error.h"
#include "tellegen/devices/array_kernel.h"

namespace tellegen::devices {
namespace {

/// Where the levels of a device lie; step 0: any value is a level.
struct LevelGrid {
  float low_S;
  float high_S;
  float step_S;
};

LevelGrid level_grid(const CellRange& range) {
  const double low_S = range.g_min.si(), high_S = range.g_max.si();
  const double step_S = range.levels > 1 ? (high_S - low_S) / (range.levels - 1) : 0.0;
  return {static_cast<float>(low_S), static_cast<float>(high_S), static_cast<float>(step_S)};
}

/// Moves targets to the range (rounding may have left it) and to the nearest level. Returns whether all were in range,
/// to rounding.
struct ToLevels {
  TELLEGEN_KERNEL static bool run(const float* target_S, std::size_t count, LevelGrid grid, float* level_S) {
    const float low = grid.low_S, high = grid.high_S, slack = 1e-5f * grid.high_S;
    int outside = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const float g = target_S[i];
      outside |= !((g >= low - slack) & (g <= high + slack));  // negated: NaN counts as outside
      const float raised = g < low ? low : g;
      level_S[i] = raised > high ? high : raised;
    }
    if (grid.step_S > 0) {
      const float step = grid.step_S;
      for (std::size_t i = 0; i < count; ++i) {
        const float level = low + std::nearbyint((level_S[i] - low) / step) * step;
        level_S[i] = level > high ? high : level;
      }
    }
    return outside == 0;
  }
};

struct ClipAtZero {
  TELLEGEN_KERNEL static std::size_t run(float* g_S, std::size_t count) {
    unsigned clipped = 0;
    for (std::size_t i = 0; i < count; ++i) {
      clipped += g_S[i] < 0.0f;
      g_S[i] = g_S[i] < 0.0f ? 0.0f : g_S[i];
    }
    return clipped;
  }
};

struct AddNoise {
  TELLEGEN_KERNEL static void run(const float* mean_S, const float* variance_S2, std::size_t count,
                                  float* noise_to_sample) {
    for (std::size_t i = 0; i < count; ++i)
      noise_to_sample[i] = mean_S[i] + std::sqrt(variance_S2[i]) * noise_to_sample[i];
  }
};

/// Copies to memory without fetching what stands there: for arrays that are in no cache. `to` is at a multiple of 16
/// bytes.
void copy_past_caches(std::span<const float> from, float* to) {
  std::size_t i = 0;
  for (; i + 4 <= from.size(); i += 4) _mm_stream_ps(to + i, _mm_loadu_ps(&from[i]));
  for (; i < from.size(); ++i) to[i] = from[i];
}
/// Asks for the cells of a later block: without draws between them, blocks follow each other too fast for the processor
/// to look ahead by itself.
void ask_ahead(const std::vector<float>& g_S, std::size_t first, std::size_t count) {
  constexpr std::size_t line_cells = 16, distance = 4 * block_cells;
  const std::size_t end = std::min(first + distance + count, g_S.size());
  for (std::size_t i = first + distance; i < end; i += line_cells) __builtin_prefetch(&g_S[i]);
}
/// Whether copy_past_caches is the faster way to fill this array.
bool is_past_caches(std::span<const float> array) {
  constexpr std::size_t cells = std::size_t{1} << 22;  // 16 MiB
  return array.size() >= cells && reinterpret_cast<std::uintptr_t>(array.data()) % 16 == 0;
}

/// Stuck cells keep what they were programmed to.
struct KeepStuck {
  TELLEGEN_KERNEL static void run(const Fault* faults, const float* programmed_S, std::size_t count, float* mean_S) {
    for (std::size_t i = 0; i < count; ++i) mean_S[i] = faults[i] == Fault::none ? mean_S[i] : programmed_S[i];
  }
};

/// The stuck cells of one block of cells. Cells are stuck independently with probability p, so that the number of sound
/// cells up to the next stuck one is geometric, floor(ln u / ln(1 - p)): a draw per stuck cell, not per cell. Cell i
/// depends on elements of its own block only: 2 per stuck cell, from 2 (first cell of the block) on.
class StuckCells {
 public:
  static constexpr std::size_t block = 4096;
  StuckCells(const CellRange& range, const ArrayAddress& address)
      : stream_(address.stream(Purpose::stuck_at)),
        per_log_(1 / std::log1p(-(range.stuck_off + range.stuck_on))),
        off_share_(range.stuck_off / (range.stuck_off + range.stuck_on)) {}

  /// Calls stuck(i, fault) for each stuck cell i of first .. first + count - 1.
  template <class Body>
  void for_each(std::size_t first, std::size_t count, Body&& stuck) const {
    std::array<float, 64> uniform;
    double cell = -1;
    for (std::uint64_t element = 2 * first;; element += uniform.size()) {
      stream_.uniforms(element, uniform);
      for (std::size_t k = 0; k < uniform.size(); k += 2) {
        cell += 1 + std::floor(std::log(static_cast<double>(uniform[k])) * per_log_);
        if (!(cell < static_cast<double>(count))) return;
        stuck(first + static_cast<std::size_t>(cell),
              static_cast<double>(uniform[k + 1]) < off_share_ ? Fault::stuck_off : Fault::stuck_on);
      }
    }
  }

 private:
  Stream stream_;
  double per_log_, off_share_;
};

}  // namespace

ProgrammedCells StatisticalDevice::program(std::span<const float> target_S, const ArrayAddress& address) const {
  ProgrammedCells programmed;
  program_into(target_S, address, programmed);
  return programmed;
}

ReadStatistics StatisticalDevice::read(const ProgrammedCells& cells, const Conditions& conditions,
                                       const ArrayAddress& address) const {
  ReadStatistics statistics;
  read_into(cells, conditions, address, statistics);
  return statistics;
}

void StatisticalDevice::program_into(std::span<const float> target_S, const ArrayAddress& address,
                                     ProgrammedCells& programmed) const {
  const std::size_t cells = target_S.size();
  programmed.g_S.resize(cells);
  programmed.target_S.resize(ages_from_target() ? cells : 0);
  programmed.faults.clear();
  programmed.clipped = 0;
  const LevelGrid grid = level_grid(range_);
  const CellStreams streams(address);
  std::array<float, block_cells> levels;
  for_each_block(cells, [&](std::size_t first, std::size_t count) {
    float* level_S = ages_from_target() ? programmed.target_S.data() + first : levels.data();
    TELLEGEN_ASSERT(vectorised<ToLevels>(target_S.data() + first, count, grid, level_S));
    const std::span<float> g_S = std::span(programmed.g_S).subspan(first, count);
    program_block(first, std::span(level_S, count), streams, g_S);
    programmed.clipped += vectorised<ClipAtZero>(g_S.data(), count);
  });
  if (range_.stuck_off + range_.stuck_on == 0) return;
  programmed.faults.assign(cells, Fault::none);
  const StuckCells stuck(range_, address);
  for (std::size_t first = 0; first < cells; first += StuckCells::block) {
    stuck.for_each(first, std::min(StuckCells::block, cells - first), [&](std::size_t cell, Fault fault) {
      programmed.faults[cell] = fault;
      programmed.g_S[cell] = fault == Fault::stuck_off ? grid.low_S : grid.high_S;
    });
  }
}

void StatisticalDevice::require_whole(const ProgrammedCells& cells) const {
  TELLEGEN_ASSERT(!ages_from_target() || cells.target_S.size() == cells.g_S.size());
  TELLEGEN_ASSERT(cells.faults.empty() || cells.faults.size() == cells.g_S.size());
}

void StatisticalDevice::read_into(const ProgrammedCells& cells, const Conditions& conditions,
                                  const ArrayAddress& address, ReadStatistics& statistics) const {
  require_whole(cells);
  statistics.mean_S.resize(cells.g_S.size());
  statistics.variance_S2.resize(reads_with_noise() ? cells.g_S.size() : 0);
  const CellStreams streams(address);
  for_each_block(cells.g_S.size(), [&](std::size_t first, std::size_t count) {
    const auto variance_S2 = std::span(statistics.variance_S2);
    read_block(cells, first, conditions, streams, std::span(statistics.mean_S).subspan(first, count),
               variance_S2.empty() ? variance_S2 : variance_S2.subspan(first, count));
  });
}

void StatisticalDevice::read_once(const ProgrammedCells& cells, const Conditions& conditions,
                                  const ArrayAddress& address, const Stream& noise, std::span<float> out_S) const {
  require_whole(cells);
  TELLEGEN_ASSERT(out_S.size() == cells.g_S.size());
  const CellStreams streams(address);
  std::array<float, block_cells> means, variances;
  const bool large = is_past_caches(out_S);
  for_each_block(out_S.size(), [&](std::size_t first, std::size_t count) {
    const std::span<float> block_S = out_S.subspan(first, count);
    const std::span<float> mean_S = std::span(means).first(count), variance_S2 = std::span(variances).first(count);
    if (!reads_with_noise()) {
      if (large) ask_ahead(cells.g_S, first, count);
      read_block(cells, first, conditions, streams, large ? mean_S : block_S, {});
      if (large) copy_past_caches(mean_S, block_S.data());
      return;
    }
    read_block(cells, first, conditions, streams, mean_S, variance_S2);
    noise.normals(first, block_S);
    vectorised<AddNoise>(mean_S.data(), variance_S2.data(), count, block_S.data());
  });
}

void StatisticalDevice::read_block(const ProgrammedCells& cells, std::size_t first, const Conditions& conditions,
                                   const CellStreams& streams, std::span<float> mean_S,
                                   std::span<float> variance_S2) const {
  std::array<float, block_cells> scratch;
  const std::size_t count = mean_S.size();
  Block block{first, std::span(cells.g_S).subspan(first, count), {}, std::span(scratch).first(count)};
  if (ages_from_target()) block.target_S = std::span(cells.target_S).subspan(first, count);
  age_block(block, conditions, streams, mean_S);
  vectorised<ClipAtZero>(mean_S.data(), count);
  if (!cells.faults.empty()) {
    vectorised<KeepStuck>(cells.faults.data() + first, block.programmed_S.data(), count, mean_S.data());
  }
  if (!variance_S2.empty()) variance_block(block, mean_S, conditions, variance_S2);
}

void ConductanceDevice::read_once(const ProgrammedCells& cells, const Conditions& conditions,
                                  const ArrayAddress& address, const Stream& noise, std::span<float> out_S) const {
  sample_read(read(cells, conditions, address), noise, 0, out_S);
}

void sample_read(const ReadStatistics& statistics, const Stream& noise, std::uint64_t first, std::span<float> out_S) {
  TELLEGEN_ASSERT(first + out_S.size() <= statistics.mean_S.size());
  const float* mean_S = statistics.mean_S.data() + first;
  if (statistics.variance_S2.empty()) {
    std::copy_n(mean_S, out_S.size(), out_S.data());
    return;
  }
  const float* variance_S2 = statistics.variance_S2.data() + first;
  for_each_block(out_S.size(), [&](std::size_t from, std::size_t count) {
    noise.normals(first + from, out_S.subspan(from, count));
    vectorised<AddNoise>(mean_S + from, variance_S2 + from, count, out_S.data() + from);
  });
}

}  // namespace tellegen::devices
