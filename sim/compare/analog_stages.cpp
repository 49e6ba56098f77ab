#include "tellegen/sim/compare/stages.h"
#include "tellegen/sim/engine/line_amplifiers.h"

namespace tellegen::compare {
namespace {

class FrontEndStage final : public Stage {
 public:
  explicit FrontEndStage(std::shared_ptr<const circuits::FrontEnd> front_end) : front_end_(std::move(front_end)) {}
  void run(std::span<float> values, const Circuits& circuits, std::uint32_t number) const override {
    const StreamPlace place{circuits.group, number, 0};
    const circuits::UnitErrors errors =
        front_end_->sample(Stream(circuits.seed, Purpose::mismatch, place), 0, circuits.count);
    const Stream noise(circuits.seed, Purpose::front_end_noise, place);
    front_end_->evaluate(values, errors, &noise, 0, values);
  }

 private:
  std::shared_ptr<const circuits::FrontEnd> front_end_;
};

class SoftmaxStage final : public Stage {
 public:
  SoftmaxStage(std::shared_ptr<const circuits::SoftmaxCircuit> circuit, int length)
      : circuit_(std::move(circuit)), length_(static_cast<std::size_t>(length)) {}
  void run(std::span<float> values, const Circuits& circuits, std::uint32_t number) const override {
    const auto count = static_cast<std::size_t>(circuits.count);
    std::vector<float> z(values.size() / count), p(z.size());
    for (std::size_t c = 0; c < count; ++c) {
      const StreamPlace place{circuits.group, number, static_cast<std::uint32_t>(c)};
      const circuits::SoftmaxErrors errors = circuit_->sample(Stream(circuits.seed, Purpose::mismatch, place), length_);
      const Stream noise(circuits.seed, Purpose::front_end_noise, place);
      for (std::size_t e = 0; e < z.size(); ++e) z[e] = values[e * count + c];
      circuit_->evaluate(z, length_, {}, errors, &noise, 0, p);
      for (std::size_t e = 0; e < z.size(); ++e) values[e * count + c] = p[e];
    }
  }

 private:
  std::shared_ptr<const circuits::SoftmaxCircuit> circuit_;
  std::size_t length_;
};

class CrossingStage final : public Stage {
 public:
  CrossingStage(std::shared_ptr<const circuits::Crossing> crossing, double full_scale, double residual)
      : crossing_(std::move(crossing)), full_scale_(full_scale), residual_(residual) {}
  void run(std::span<float> values, const Circuits& circuits, std::uint32_t number) const override {
    const StreamPlace place{circuits.group, number, 0};
    sim::LineAmplifiers amplifiers = sim::make_line_amplifiers(*crossing_, full_scale_, circuits.count,
                                                               Stream(circuits.seed, Purpose::mismatch, place));
    const auto left = static_cast<float>(residual_);
    for (float& gain : amplifiers.gain) gain = 1 + left * (gain - 1);
    for (float& offset : amplifiers.offset_A) offset *= left;
    std::vector<float> normals;
    sim::amplify<float>(amplifiers, values, Stream(circuits.seed, Purpose::front_end_noise, place), 0, normals);
  }

 private:
  std::shared_ptr<const circuits::Crossing> crossing_;
  double full_scale_, residual_;
};

}  // namespace

std::unique_ptr<Stage> front_end_stage(std::shared_ptr<const circuits::FrontEnd> front_end) {
  return std::make_unique<FrontEndStage>(std::move(front_end));
}
std::unique_ptr<Stage> softmax_stage(std::shared_ptr<const circuits::SoftmaxCircuit> circuit, int length) {
  return std::make_unique<SoftmaxStage>(std::move(circuit), length);
}
std::unique_ptr<Stage> crossing_stage(std::shared_ptr<const circuits::Crossing> crossing, double full_scale,
                                      double residual) {
  return std::make_unique<CrossingStage>(std::move(crossing), full_scale, residual);
}

}  // namespace tellegen::compare
