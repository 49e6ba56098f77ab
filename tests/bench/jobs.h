#pragma once
// The work that is timed: products of one tile from float inputs to converted outputs, and the bare matrix product of
// the same shape beside them.

#include <cstdint>
#include <vector>

#include "tellegen/circuits/converter/adc.h"
#include "tellegen/circuits/converter/dac.h"
#include "tellegen/circuits/crossbar/array.h"

namespace tellegen::bench {

struct Shape {
  std::int64_t batch, rows, outputs;
};

struct JobOptions {
  bool read_noise = true;
  circuits::Resolution bits{8};  ///< of DAC and ADC
  int input_slices = 1;          ///< bits driven one after the other where above 1
  int weight_slices = 1;         ///< arrays whose outputs are added up
};

/// Inputs, programmed arrays and all memory of one job. Cells: 0.1 to 25 uS with 3 % programming error, 1 % read noise,
/// pairs subtracted.
class Job {
 public:
  Job(Shape shape, JobOptions options);

  /// outputs = what the tile makes of the inputs, in `threads` blocks of samples.
  void run(int threads);
  /// outputs = inputs x matrix: one sgemm.
  void run_product();
  const std::vector<float>& outputs() const { return outputs_; }
  const Shape& shape() const { return shape_; }

 private:
  struct Worker {
    std::vector<float> codes, drive, currents;
    circuits::ArrayScratch<float> scratch;
  };
  void run_samples(std::int64_t first, std::int64_t count, Worker& worker);

  Shape shape_;
  JobOptions options_;
  circuits::Dac dac_;
  circuits::Adc adc_;
  std::vector<circuits::Array<float>> arrays_;
  std::vector<float> inputs_, outputs_;
  std::vector<Worker> workers_;
};

}  // namespace tellegen::bench
