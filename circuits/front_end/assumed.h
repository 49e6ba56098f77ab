#pragma once
// A quantity that is assumed, not derived: with its spread, all three of which can be set.

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/cost/price.h"

namespace tellegen::circuits {

template <class T>
struct Assumed {
  T low{}, typical{}, high{};

  void settings(Settings& v) {
    v("low", low, "lowest value believed", at_least(0));
    v("typical", typical, "value that results are computed with", at_least(0));
    v("high", high, "highest value believed", at_least(0));
    v.require(low <= typical && typical <= high, "typical", "It must lie between low and high.");
  }
  /// In SI units.
  Band band() const {
    if constexpr (requires { typical.si(); }) {
      return {low.si(), typical.si(), high.si()};
    } else {
      return {low, typical, high};
    }
  }
};

}  // namespace tellegen::circuits
