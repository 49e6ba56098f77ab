#pragma once
// Test sets of every kind: what a network reads, and how its outputs are judged.

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/parallel.h"
#include "tellegen/models/metric.h"
#include "tellegen/models/network.h"

namespace tellegen::models {

class TestSet {
 public:
  virtual ~TestSet() = default;
  virtual std::int64_t size() const = 0;
  /// What one sample is, for people: "image", "window", "line", "frame".
  virtual std::string sample_name() const = 0;
  /// Samples first .. first + count - 1 as the network reads them.
  virtual Tensor batch(std::int64_t first, std::int64_t count) const = 0;
  /// Numbers that judge one sample; they add up to the figures, whatever the order and the threads.
  virtual std::size_t columns() const = 0;
  /// Judges outputs of samples first ...: [samples][columns].
  virtual std::vector<double> score(const Tensor& outputs, std::int64_t first) const = 0;
  /// The metrics of [samples][columns] scores; the first is the one that the set is for.
  virtual std::vector<Figure> figures(std::span<const double> scores) const = 0;
};

/// Reads and checks a set against the network, by what the HDF5 file holds:
/// images and labels: classes, top-1, top-5 and NLL;
/// ids and next: windows of tokens, each with the token that follows it, NLL per token and perplexity;
/// images, width and text: lines of text, read greedily from the outputs of a CTC network, character error rate;
/// audio and speech: frames of sound with some context before, area under the curve of detecting speech.
/// With `snr_db` white noise is added to the sound of a recording, so many decibels below its mean power, always the same.
/// Throws InputError, also where there is no sound to add it to.
std::unique_ptr<TestSet> load_test_set(const std::filesystem::path& file, const Network& network,
                                       std::optional<double> snr_db = {});

struct Evaluation {
  std::int64_t samples = 0;  ///< 0: all
  std::int64_t batch = 64;
  int threads = 0;  ///< 0: all that the machine has; a streaming network runs on one
};
/// Runs the float network on a set. Memory does not depend on the number of samples, but for their scores.
std::vector<Figure> evaluate(const Network& network, const TestSet& set, const Evaluation& evaluation = {},
                             const Progress& progress = {});

}  // namespace tellegen::models
