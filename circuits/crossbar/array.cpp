#include "tellegen/circuits/crossbar/array.h"

#include <algorithm>

#include "tellegen/base/blas.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/converter/converter_kernels.h"

namespace tellegen::circuits {
namespace {

/// Values whose normals stay in the first-level cache.
constexpr std::int64_t noise_chunk = 4096;
/// Squared drives and variances of a block are to stay in the second-level cache. Fewer rows cost more than they save:
/// every product packs the whole matrix again.
constexpr std::int64_t block_bytes = 1536 << 10;
constexpr std::int64_t smallest_block = 8 * read_group;

std::int64_t round_up_to_group(std::int64_t reads) { return (reads + read_group - 1) / read_group * read_group; }

template <class T>
std::int64_t reads_per_block(const Array<T>& array, std::int64_t count) {
  const std::int64_t read_bytes = static_cast<std::int64_t>(sizeof(T)) * (array.rows + array.lines);
  const std::int64_t most = std::max(smallest_block, block_bytes / std::max<std::int64_t>(1, read_bytes));
  const std::int64_t blocks = (count + most - 1) / most;
  return round_up_to_group((count + blocks - 1) / blocks);
}

template <class T>
T* grown(std::vector<T>& memory, std::int64_t size) {
  if (memory.size() < static_cast<std::size_t>(size)) memory.resize(static_cast<std::size_t>(size));
  return memory.data();
}

/// One block of reads: where its drives are, and the rows of its products.
template <class T>
struct Block {
  const T* drives;
  std::int64_t stride;
  std::int64_t count;   ///< reads asked for
  std::int64_t before;  ///< rows of zeros in front of them, so that each read has its place in a group
  std::int64_t after;   ///< rows of zeros that fill up the last group
  std::int64_t grouped() const { return before + count + after; }
  bool is_whole() const { return before == 0 && after == 0; }
};

template <class T>
void clear_padding(const Block<T>& block, std::int64_t rows, T* grouped_drives) {
  std::fill_n(grouped_drives, block.before * rows, T(0));
  std::fill_n(grouped_drives + (block.before + block.count) * rows, block.after * rows, T(0));
}

/// Drives x matrix, [reads asked for][lines]: in `to` where groups are whole, else in scratch. Returns where.
template <class T>
const T* product(std::int64_t rows, std::int64_t lines, const T* matrix, const Block<T>& block, T* to,
                 ArrayScratch<T>& scratch) {
  if (block.is_whole()) {
    multiply(block.count, lines, rows, block.drives, block.stride, matrix, lines, T(0), to, lines);
    return to;
  }
  T* drive = grown(scratch.drive, block.grouped() * rows);
  clear_padding(block, rows, drive);
  for (std::int64_t r = 0; r < block.count; ++r) {
    std::copy_n(block.drives + r * block.stride, rows, drive + (block.before + r) * rows);
  }
  T* grouped = grown(scratch.current, block.grouped() * lines);
  multiply(block.grouped(), lines, rows, drive, rows, matrix, lines, T(0), grouped, lines);
  return grouped + block.before * lines;
}

/// Sums of squared drives times variances, for the block's reads.
template <class T>
T* variances(const Array<T>& array, const Block<T>& block, ArrayScratch<T>& scratch) {
  const std::int64_t rows = array.rows;
  T* squares = grown(scratch.drive_squared, block.grouped() * rows);
  clear_padding(block, rows, squares);
  for (std::int64_t r = 0; r < block.count; ++r) {
    kernels::square(best_vector_unit(), block.drives + r * block.stride, rows, squares + (block.before + r) * rows);
  }
  T* grouped = grown(scratch.variance, block.grouped() * array.lines);
  multiply(block.grouped(), array.lines, rows, squares, rows, array.variance_A2.data(), array.lines, T(0), grouped,
           array.lines);
  return grouped + block.before * array.lines;
}

/// Currents and what rows share stand beside each other, so that one product makes both: drives are packed once, and
/// few lines fill the vectors better. [rows][2][lines].
template <class T>
const T* joined_matrix(const Array<T>& array, ArrayScratch<T>& scratch) {
  const std::int64_t lines = array.lines;
  T* joined = grown(scratch.joined, 2 * array.rows * lines);
  for (std::int64_t i = 0; i < array.rows; ++i) {
    std::copy_n(array.current_A.data() + i * lines, lines, joined + 2 * i * lines);
    std::copy_n(array.shared_A.data() + i * lines, lines, joined + (2 * i + 1) * lines);
  }
  return joined;
}

/// currents += sqrt(variance) * normal, in pieces that stay in cache.
template <class T>
void add_read_noise(const T* variance, std::int64_t values, const Stream& noise, std::uint64_t first_element,
                    T* currents, ArrayScratch<T>& scratch) {
  float* normals = grown(scratch.normals, noise_chunk);
  for (std::int64_t first = 0; first < values; first += noise_chunk) {
    const std::int64_t part = std::min(noise_chunk, values - first);
    noise.normals(first_element + static_cast<std::uint64_t>(first),
                  std::span(normals, static_cast<std::size_t>(part)));
    kernels::add_noise(best_vector_unit(), currents + first, variance + first, normals, part, currents + first);
  }
}

}  // namespace

template <class T>
void read_currents(const Array<T>& array, const T* drives, std::int64_t stride, std::int64_t count, const Stream& noise,
                   std::uint64_t first_read, T* currents, ArrayScratch<T>& scratch) {
  const auto cells = static_cast<std::size_t>(array.rows * array.lines);
  TELLEGEN_ASSERT(array.current_A.size() == cells);
  TELLEGEN_ASSERT(array.variance_A2.empty() || array.variance_A2.size() == cells);
  TELLEGEN_ASSERT(array.shared_A.empty() || array.shared_A.size() == cells);
  if (count <= 0 || array.lines == 0) return;
  const bool noisy = !array.variance_A2.empty();
  const bool joins = noisy && !array.shared_A.empty();
  const T* matrix = joins ? joined_matrix(array, scratch) : array.current_A.data();
  const std::int64_t most = reads_per_block(array, count);
  for (std::int64_t first = 0; first < count;) {
    const std::uint64_t read = first_read + static_cast<std::uint64_t>(first);
    const auto before = static_cast<std::int64_t>(read % static_cast<std::uint64_t>(read_group));
    const std::int64_t part = std::min(most - before, count - first);
    const std::int64_t after = round_up_to_group(before + part) - before - part;
    const Block<T> block{drives + first * stride, stride, part, before, after};
    T* to = currents + first * array.lines;
    T* variance = noisy ? variances(array, block, scratch) : nullptr;
    if (joins) {
      T* both = grown(scratch.products, part * 2 * array.lines);
      kernels::take_shared(best_vector_unit(), product(array.rows, 2 * array.lines, matrix, block, both, scratch),
                           array.lines, part, to, variance);
    } else if (const T* made = product(array.rows, array.lines, matrix, block, to, scratch); made != to) {
      std::copy_n(made, part * array.lines, to);
    }
    if (noisy)
      add_read_noise(variance, part * array.lines, noise, read * static_cast<std::uint64_t>(array.lines), to, scratch);
    first += part;
  }
}

template void read_currents(const Array<float>&, const float*, std::int64_t, std::int64_t, const Stream&, std::uint64_t,
                            float*, ArrayScratch<float>&);
template void read_currents(const Array<double>&, const double*, std::int64_t, std::int64_t, const Stream&,
                            std::uint64_t, double*, ArrayScratch<double>&);

}  // namespace tellegen::circuits
