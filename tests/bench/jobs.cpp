#include "jobs.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "tellegen/base/blas.h"
#include "tellegen/base/parallel.h"
#include "tellegen/base/random.h"

namespace tellegen::bench {
namespace {

constexpr std::uint64_t seed = 1;
/// Few enough that codes, drives and currents stay in the second-level cache; a multiple of circuits::read_group.
constexpr std::int64_t samples_at_once = 264;

std::vector<float> uniforms(std::int64_t count, std::uint32_t part) {
  std::vector<float> values(static_cast<std::size_t>(count));
  Stream(seed, Purpose::test, {0, 0, part}).uniforms(0, values);
  return values;
}

circuits::Array<float> programmed_array(const Shape& shape, bool read_noise, std::uint32_t index) {
  constexpr float v_read_V = 0.2F, g_min_S = 0.1e-6F, g_max_S = 25e-6F, programming = 0.03F, read = 0.01F;
  const std::int64_t cells = shape.rows * shape.outputs;
  circuits::Array<float> array;
  array.rows = shape.rows;
  array.lines = shape.outputs;
  array.current_A.assign(static_cast<std::size_t>(cells), 0.0F);
  if (read_noise) array.variance_A2.assign(static_cast<std::size_t>(cells), 0.0F);
  for (const std::uint32_t side : {0U, 1U}) {
    const std::vector<float> target = uniforms(cells, 10 + 2 * index + side);
    std::vector<float> error(target.size());
    Stream(seed, Purpose::programming, {0, index, side}).normals(0, error);
    for (std::size_t i = 0; i < target.size(); ++i) {
      const float g_S = (g_min_S + (g_max_S - g_min_S) * target[i]) * (1 + programming * error[i]);
      const float current_A = v_read_V * g_S;
      array.current_A[i] += side == 0 ? current_A : -current_A;
      if (read_noise) array.variance_A2[i] += read * read * current_A * current_A;
    }
  }
  return array;
}

/// The first `size` values of memory that only grows.
std::span<float> first_of(std::vector<float>& memory, std::size_t size) {
  if (memory.size() < size) memory.resize(size);
  return std::span(memory).first(size);
}

}  // namespace

Job::Job(Shape shape, JobOptions options) : shape_(shape), options_(options) {
  dac_.config.bits = options.bits;
  if (options.input_slices > 1) {
    dac_.config.streaming = circuits::Streaming::bit_serial;
    dac_.config.bits.bits = options.input_slices;
  }
  circuits::AdcConfig adc;
  adc.bits = options.bits;
  adc_ = circuits::make_adc(adc, 4e-6 * std::sqrt(static_cast<double>(shape.rows)), true);
  for (int i = 0; i < options.weight_slices; ++i) {
    arrays_.push_back(programmed_array(shape, options.read_noise, static_cast<std::uint32_t>(i)));
  }
  inputs_ = uniforms(shape.batch * shape.rows, 0);
  outputs_.resize(static_cast<std::size_t>(shape.batch * shape.outputs));
}

void Job::run_samples(std::int64_t first, std::int64_t count, Worker& worker) {
  const auto values = static_cast<std::size_t>(count * shape_.rows);
  const auto results = static_cast<std::size_t>(count * shape_.outputs);
  const std::span<float> codes = first_of(worker.codes, values);
  const std::span<float> drive = first_of(worker.drive, values);
  const std::span<float> outputs(outputs_.data() + first * shape_.outputs, results);
  std::copy_n(inputs_.begin() + first * shape_.rows, values, codes.begin());
  circuits::to_codes<float>(dac_, codes);
  const int passes = dac_.slices() * options_.weight_slices;
  const std::span<float> currents = passes > 1 ? first_of(worker.currents, results) : outputs;
  if (passes > 1) std::ranges::fill(outputs, 0.0F);
  for (int s = 0; s < dac_.slices(); ++s) {
    circuits::slice_drive<float>(dac_, codes, s, drive);
    for (int w = 0; w < options_.weight_slices; ++w) {
      const StreamPlace place{0, static_cast<std::uint32_t>(w), static_cast<std::uint32_t>(s)};
      const Stream noise(seed, Purpose::read_noise, place);
      circuits::read_currents(arrays_[static_cast<std::size_t>(w)], drive.data(), shape_.rows, count, noise,
                              static_cast<std::uint64_t>(first), currents.data(), worker.scratch);
      circuits::convert<float>(adc_, currents, noise, 0, worker.scratch);
      if (passes == 1) continue;
      const auto weight = static_cast<float>(std::ldexp(dac_.slice_weight(s), -2 * w));
      for (std::size_t i = 0; i < results; ++i) outputs[i] += weight * currents[i];
    }
  }
}

void Job::run(int threads) {
  if (workers_.size() < static_cast<std::size_t>(threads)) workers_.resize(static_cast<std::size_t>(threads));
  const std::int64_t groups = (shape_.batch + circuits::read_group - 1) / circuits::read_group;
  const std::int64_t share = (groups + threads - 1) / threads * circuits::read_group;
  parallel_for(static_cast<std::size_t>(threads), threads, [&](std::size_t i) {
    const std::int64_t end = std::min(shape_.batch, static_cast<std::int64_t>(i + 1) * share);
    for (std::int64_t first = static_cast<std::int64_t>(i) * share; first < end; first += samples_at_once) {
      run_samples(first, std::min(samples_at_once, end - first), workers_[i]);
    }
  });
}

void Job::run_product() {
  multiply(shape_.batch, shape_.outputs, shape_.rows, inputs_.data(), shape_.rows, arrays_.front().current_A.data(),
           shape_.outputs, 0.0F, outputs_.data(), shape_.outputs);
}

}  // namespace tellegen::bench
