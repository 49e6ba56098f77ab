#pragma once
// A test set of pixels that a test makes up; nothing is judged.

#include <memory>
#include <vector>

#include "tellegen/models/dataset.h"
#include "tellegen/sim/engine/load.h"

namespace tellegen::sim::test {

class PixelSet final : public models::TestSet {
 public:
  explicit PixelSet(models::Dataset data) : data_(std::move(data)) {}
  std::string sample_name() const override { return "image"; }
  std::int64_t size() const override { return data_.size(); }
  models::Tensor batch(std::int64_t first, std::int64_t count) const override { return data_.batch(first, count); }
  std::size_t columns() const override { return 0; }
  std::vector<double> score(const models::Tensor&, std::int64_t) const override { return {}; }
  std::vector<models::Figure> figures(std::span<const double>) const override { return {}; }

 private:
  models::Dataset data_;
};

inline TestData pixels(models::Dataset data) { return {std::make_shared<PixelSet>(std::move(data)), {}, {}}; }

}  // namespace tellegen::sim::test
