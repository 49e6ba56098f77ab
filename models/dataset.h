#pragma once
// Test sets: HDF5 with `images` (uint8, samples x height x width, /255 on reading) and `labels` (uint8, samples).

#include <cstdint>
#include <filesystem>
#include <vector>

#include "tellegen/models/network.h"

namespace tellegen::models {

struct Dataset {
  std::filesystem::path file;
  Shape sample_shape;                ///< of one sample as the network wants it
  std::vector<std::uint8_t> pixels;  ///< samples * element_count(sample_shape)
  std::vector<int> labels;
  std::int64_t size() const { return static_cast<std::int64_t>(labels.size()); }
  /// Samples first .. first + count - 1 as float in [0, 1], shape [count, sample_shape...].
  Tensor batch(std::int64_t first, std::int64_t count) const;
};

/// Reads and checks the set against the network: sample size, labels within the outputs. Throws InputError.
Dataset load_dataset(const std::filesystem::path& file, const Network& network);

}  // namespace tellegen::models
