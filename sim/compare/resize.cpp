#include "tellegen/sim/compare/resize.h"

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <numbers>

#include "tellegen/base/error.h"

namespace tellegen::compare {
namespace {

constexpr double kHalfPower = 1 / std::numbers::sqrt2;
constexpr double kThreeQuarters = 0.866025403784;  ///< of the power
constexpr double kFine = 0.005;                    ///< where a search stops: well inside kTolerance
constexpr int kSteps = 24;
constexpr double kLeastEnob = 2;
constexpr int kLeastWord = 3, kMostWord = 14, kMostSegments = 256;
constexpr double kLeastArea = 1.0 / 1024, kMostArea = 1024;
constexpr double kMostDeviation = 0.3;
constexpr double kMostMismatch = 0.3;  ///< of a capacitor: larger ones might become negative

class Resizing {
 public:
  Resizing(const Task& task, double asked) : task_(task), asked_(asked) {
    sizes_.enob = task.option.adc.bits.bits;
    sizes_.word_bits = kMostWord;
    sizes_.segments = kMostSegments;
    sizes_.deviation = task.option.reference_deviation;
  }

  Resized run() {
    switch (task_.option.path) {
      case PathKind::digital:
        choose_words();
        fit_enob();
        break;
      case PathKind::tg_after_dac:
        fit_multiplier();
        fit_area(before_enob());
        fit_enob();
        break;
      case PathKind::nonlinear_adc:
        choose_codes();
        break;
      case PathKind::analog:
        fit_multiplier();
        if (task_.layer.reader == Reader::array) {
          fit_area(asked_);
        } else {
          fit_area(before_enob());
          fit_enob();
        }
        break;
    }
    return verdict();
  }

 private:
  double error() const { return percentile(circuit_errors(task_, sizes_), 95); }

  /// The value between `worst` and `best` of a size at which the error is `target`, on a straight or logarithmic scale.
  /// Where the target lies outside, the end nearest to it.
  void fit(double Sizes::*size, double worst, double best, bool logarithmic, double target) {
    const auto at = [&](double share) {
      return logarithmic ? worst * std::pow(best / worst, share) : worst + share * (best - worst);
    };
    sizes_.*size = best;
    if (error() >= target) return;
    sizes_.*size = worst;
    if (error() <= target) return;
    double low = 0, high = 1;
    for (int step = 0; step < kSteps; ++step) {
      const double middle = (low + high) / 2;
      sizes_.*size = at(middle);
      const double found = error();
      if (std::abs(found / target - 1) < kFine) return;
      (found > target ? low : high) = middle;
    }
    sizes_.*size = at(high);
  }
  /// Of a softmax unit: its words have no bits below zero behind the point.
  double least_enob() const {
    if (task_.layer.function != Function::softmax) return kLeastEnob;
    return std::max(kLeastEnob, 1 + std::round(std::log2(task_.samples.x_scale / std::numbers::ln2)));
  }
  void fit_enob() { fit(&Sizes::enob, least_enob(), task_.option.adc.bits.bits, false, asked_); }
  /// Behind a gate as good as there is: the multiplier takes half of the power.
  void fit_multiplier() {
    if (!task_.layer.gated) return;
    sizes_.area = kMostArea;
    fit(&Sizes::multiplier_area, kLeastArea, kMostArea, true, kHalfPower * asked_);
  }
  /// What gate and multiplier may take where converters behind them or in front take the rest.
  double before_enob() const { return (task_.layer.gated ? kThreeQuarters : kHalfPower) * asked_; }
  void fit_area(double target) { fit(&Sizes::area, kLeastArea, kMostArea, true, target); }

  /// The fewest that keep the error within target, or the most there are.
  void fewest(int Sizes::*size, const std::function<int(int)>& next, int least, int most, double target) {
    for (sizes_.*size = least; sizes_.*size < most; sizes_.*size = next(sizes_.*size)) {
      if (error() <= target) return;
    }
    sizes_.*size = most;
  }
  void choose_words() {
    const auto one_more = [](int bits) { return bits + 1; };
    fewest(&Sizes::word_bits, one_more, kLeastWord, kMostWord, kHalfPower * asked_);
    if (task_.option.unit == UnitKind::lines && task_.layer.function != Function::softmax) {
      // Rounding of coefficients and of results share the power with the bend of the function.
      sizes_.word_bits = std::min(sizes_.word_bits + 1, kMostWord);
      fewest(
          &Sizes::segments, [](int segments) { return 2 * segments; }, 2, kMostSegments, kHalfPower * asked_);
    }
  }
  void choose_codes() {
    fewest(
        &Sizes::word_bits, [](int bits) { return bits + 1; }, kLeastWord, kMostWord, asked_);
    const double least = task_.option.reference_deviation;
    const bool counts = task_.option.method == circuits::NonlinearMethod::count;
    const double most = counts ? kMostDeviation : kMostMismatch / std::sqrt(std::ldexp(1.0, sizes_.word_bits + 1));
    fit(&Sizes::deviation, std::max(most, least), least, false, asked_);
  }

  Resized verdict() const {
    const std::vector<double> errors = circuit_errors(task_, sizes_);
    Resized result;
    result.sizes = sizes_;
    result.error = percentile(errors, 95);
    result.median_error = percentile(errors, 50);
    if (!std::isfinite(result.error)) {
      result.why = "What leaves the circuit is not a number for some of the samples.";
      return result;
    }
    const double ratio = result.error / asked_;
    result.reached = ratio > 1 + kTolerance   ? Reached::unreachable
                     : ratio < 1 - kTolerance ? Reached::better
                                              : Reached::equal;
    if (result.reached == Reached::unreachable)
      result.why = fmt::format("{:.3g} % is the least that any size gives; {:.3g} % was asked for.", 100 * result.error,
                               100 * asked_);
    return result;
  }

  const Task& task_;
  double asked_;
  Sizes sizes_;
};

Resized refusal(const std::string& why) {
  Resized result;
  result.why = why;
  return result;
}

}  // namespace

const char* name_of(Reached reached) {
  switch (reached) {
    case Reached::equal:
      return "equal";
    case Reached::better:
      return "better";
    case Reached::unreachable:
      return "unreachable";
    case Reached::refused:
      return "refused";
  }
  throw std::logic_error("a verdict without a name");
}

Resized resize(const Task& task, double asked_error) {
  try {
    return Resizing(task, asked_error).run();
  } catch (const InputError& error) {
    return refusal(error.what());
  } catch (const RefusedError& error) {
    return refusal(error.what());
  }
}

}  // namespace tellegen::compare
