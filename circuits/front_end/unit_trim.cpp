#include "tellegen/circuits/front_end/unit_trim.h"

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/gate_mismatch.h"
#include "tellegen/circuits/front_end/gate_settings.h"

namespace tellegen::circuits {

UnitTrim::UnitTrim() : area_per_bit(TrimSettings().area_per_bit) {}

void UnitTrim::settings(Settings& v) {
  v("bits", bits, "resolution of the correction of each kind of error of each unit; 0: no trimming at all",
    between(0, 12));
  v("range_sigmas", range_sigmas, "largest correction, in standard deviations of the error", positive());
  v("measured_at", measured_at, "temperature at which errors are measured and corrections set", positive());
  v.section("area_per_bit", area_per_bit, "assumed: memory, switch and unit element of one bit");
}

double TrimmedDeviation::left_of(double draw, const std::optional<UnitTrim>& trim) const {
  if (!trim) return now * draw;
  const TrimDac dac{trim->bits, trim->range_sigmas * measured};
  return now * draw - carry * dac.correction(measured * draw);
}

std::function<void(std::span<float>)> trimmed_errors(const UnitTrim& trim, std::vector<TrimmedDeviation> planes) {
  return [trim = std::optional(trim), planes = std::move(planes)](std::span<float> draws) {
    TELLEGEN_ASSERT(draws.size() == planes.size());
    for (std::size_t k = 0; k < draws.size(); ++k)
      draws[k] = static_cast<float>(planes[k].left_of(static_cast<double>(draws[k]), trim));
  };
}

std::optional<AreaPart> trim_area(const std::optional<UnitTrim>& trim, double dacs) {
  if (!trim) return std::nullopt;
  return AreaPart{"trim", dacs * trim->bits * trim->area_per_bit.band(), "assumed"};
}

}  // namespace tellegen::circuits
