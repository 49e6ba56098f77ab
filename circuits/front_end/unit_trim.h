#pragma once
// Trimming of the MemGLU gates and softmax circuits after manufacture: every kind of error of every unit has a small
// DAC of its own. Errors are measured once, at one temperature; what a DAC is set to then stays.

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "tellegen/base/config.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/front_end/assumed.h"
#include "tellegen/circuits/front_end/front_end.h"

namespace tellegen::circuits {

/// `trim:` inside the mapping of such a circuit.
struct UnitTrim {
  int bits = 5;
  double range_sigmas = 3;  ///< of the deviation where it is measured
  Temperature measured_at = Temperature::si(300);
  Assumed<Area> area_per_bit;  ///< cell of memory, switch and unit element
  UnitTrim();
  void settings(Settings& v);
};

/// One kind of error in units of its draw. A correction that is a voltage means more or less at another temperature:
/// `carry` times what it was worth where it was measured.
struct TrimmedDeviation {
  double now = 0, measured = 0, carry = 1;
  /// What is left of `now` times `draw`, in bits and range of `trim`; all of it without.
  double left_of(double draw, const std::optional<UnitTrim>& trim) const;
};

/// Makes draws of a unit, plane by plane, into what trimming leaves.
std::function<void(std::span<float> draws)> trimmed_errors(const UnitTrim& trim, std::vector<TrimmedDeviation> planes);

/// The area of `dacs` trimming DACs; nothing without trimming.
std::optional<AreaPart> trim_area(const std::optional<UnitTrim>& trim, double dacs);

}  // namespace tellegen::circuits
