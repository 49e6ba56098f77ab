#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/models/test_set_kinds.h"

namespace tellegen::models {

namespace {

enum Column : std::size_t { kNll, kTokens, kColumns };

/// Windows of tokens; the network has seen nothing before the first token of a window.
class TokenSet final : public TestSet {
 public:
  TokenSet(std::vector<std::int64_t> tokens, std::vector<std::int64_t> next, std::int64_t length)
      : tokens_(std::move(tokens)), next_(std::move(next)), length_(length) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(tokens_.size()) / length_; }
  std::string sample_name() const override { return "window"; }
  std::size_t columns() const override { return kColumns; }

  Tensor batch(std::int64_t first, std::int64_t count) const override {
    TELLEGEN_ASSERT(first >= 0 && count >= 0 && first + count <= size());
    const auto begin = tokens_.begin() + first * length_;
    return {{count, length_}, {begin, begin + count * length_}};
  }

  std::vector<double> score(const Tensor& outputs, std::int64_t first) const override {
    const std::int64_t count = outputs.shape[0], words = outputs.shape.back();
    std::vector<double> scores;
    const float* logits = outputs.data.data();
    for (std::int64_t window = first; window < first + count; ++window) {
      double sum = 0;
      for (std::int64_t at = window * length_; at < (window + 1) * length_; ++at, logits += words)
        sum += negative_log_likelihood({logits, static_cast<std::size_t>(words)},
                                       static_cast<std::size_t>(next_[static_cast<std::size_t>(at)]));
      scores.insert(scores.end(), {sum, static_cast<double>(length_)});
    }
    return scores;
  }

  std::vector<Figure> figures(std::span<const double> scores) const override {
    const Figure nll = ratio("nll", column(scores, kColumns, kNll), column(scores, kColumns, kTokens));
    return {nll, {"perplexity", std::exp(nll.value), std::exp(nll.low), std::exp(nll.high)}};
  }

 private:
  std::vector<std::int64_t> tokens_, next_;
  std::int64_t length_;
};

}  // namespace

std::unique_ptr<TestSet> load_token_set(const Hdf5Reader& reader, const std::filesystem::path& file,
                                        const Network& network) {
  const auto stored = reader.shape("ids");
  const Shape shape(stored.begin(), stored.end());
  check_shape(file, "'ids'", shape, network.values[network.input].shape);
  if (reader.shape("next") != stored)
    throw InputError({file.string()}, "'next' has another shape than 'ids'; each token needs the one that follows it.");
  const Shape& output = network.values[network.output].shape;
  Shape wanted = shape;
  wanted.push_back(output.back());
  check_shape(file, "outputs that judge 'next'", wanted, output);
  std::vector<std::int64_t> next = reader.integers("next");
  for (const std::int64_t token : next)
    if (token < 0 || token >= output.back())
      throw InputError({file.string()}, "'next' holds token '" + std::to_string(token) + "'; the network knows 0 to " +
                                            std::to_string(output.back() - 1) +
                                            ". Use the test set that the network was trained for.");
  return std::make_unique<TokenSet>(reader.integers("ids"), std::move(next), shape[1]);
}

}  // namespace tellegen::models
