#include "tellegen/base/error.h"
#include "tellegen/models/dataset.h"
#include "tellegen/models/test_set_kinds.h"

namespace tellegen::models {

namespace {

enum Column : std::size_t { kTop1, kTop5, kNll, kColumns };

class ImageSet final : public TestSet {
 public:
  explicit ImageSet(Dataset data) : data_(std::move(data)) {}
  std::int64_t size() const override { return data_.size(); }
  Tensor batch(std::int64_t first, std::int64_t count) const override { return data_.batch(first, count); }
  std::string sample_name() const override { return "image"; }
  std::size_t columns() const override { return kColumns; }

  std::vector<double> score(const Tensor& outputs, std::int64_t first) const override {
    const std::int64_t count = outputs.shape[0], classes = outputs.size() / count;
    std::vector<double> scores;
    for (std::int64_t sample = 0; sample < count; ++sample) {
      const std::span<const float> logits(outputs.data.data() + sample * classes, static_cast<std::size_t>(classes));
      const auto label = static_cast<std::size_t>(data_.labels[static_cast<std::size_t>(first + sample)]);
      const std::size_t rank = rank_of(logits, label);
      scores.insert(scores.end(), {rank < 1 ? 1.0 : 0.0, rank < 5 ? 1.0 : 0.0, negative_log_likelihood(logits, label)});
    }
    return scores;
  }

  std::vector<Figure> figures(std::span<const double> scores) const override {
    const std::vector<double> top1 = column(scores, kColumns, kTop1), top5 = column(scores, kColumns, kTop5);
    const std::vector<double> ones(top1.size(), 1.0);
    const auto hits = [](const std::vector<double>& list) {
      double sum = 0;
      for (const double hit : list) sum += hit;
      return sum;
    };
    const auto count = static_cast<double>(top1.size());
    return {share("top1", hits(top1), count), share("top5", hits(top5), count),
            ratio("nll", column(scores, kColumns, kNll), ones)};
  }

 private:
  Dataset data_;
};

}  // namespace

std::unique_ptr<TestSet> load_image_set(const std::filesystem::path& file, const Network& network) {
  return std::make_unique<ImageSet>(load_dataset(file, network));
}

}  // namespace tellegen::models
