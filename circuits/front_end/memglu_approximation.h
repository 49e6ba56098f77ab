#pragma once
// Sums of threshold gates that stand for tanh x sech x, fitted for the least largest error on |x| <= 8.

#include <span>
#include <utility>

namespace tellegen::circuits {

enum class TanhSechForm { signed_pairs, telescoping, normalised };
std::span<const std::pair<TanhSechForm, const char*>> enum_names(TanhSechForm);

/// size (tanh(steep x / 2) - tanh(flat x / 2)); largest error 0.002635.
struct SignedPairs {
  double size, steep, flat;
};
inline constexpr SignedPairs signed_pairs{1.3457869086432486, 2.597150453662059, 1.0893572471542785};

/// slope x (sigma(sharpness (x + threshold)) - sigma(sharpness (x - threshold))), slope held at 4; 0.02069.
struct Telescoping {
  double slope, sharpness, threshold;
};
inline constexpr Telescoping telescoping{4, 1.6598451005125625, 0.28106252256190967};

/// size x / (offset + cosh(sharpness x)); 0.004297. The tail that carries x has slope size / offset = 24.
struct Normalised {
  double size, offset, sharpness;
};
inline constexpr Normalised normalised{1.0691368324624766, 0.044689683932168114, 1.394460441714239};

/// The approximation itself, without transistors.
double tanh_sech_approximation(TanhSechForm form, double x);

}  // namespace tellegen::circuits
