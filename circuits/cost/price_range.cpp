#include "tellegen/circuits/cost/price_range.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace tellegen::circuits {
namespace {

constexpr double kNearNode = 1.25;

}  // namespace

void warn_about_bits(Price& price, const std::string& law, double bits, double bits_min, double bits_max) {
  if (bits >= bits_min && bits <= bits_max) return;
  price.from.warnings.push_back(fmt::format("{} is valid from {} to {} bits: {} bits are extrapolated.", law,
                                            short_number(bits_min), short_number(bits_max), short_number(bits)));
}

void warn_about_node(Price& price, const std::string& law, Length stated, Length used) {
  const double stated_nm = stated.in(units::nm), used_nm = used.in(units::nm);
  if (stated_nm == 0 || std::abs(stated_nm - used_nm) < 1e-6 * stated_nm) return;
  price.from.scaling =
      fmt::format("none: analog, {} nm price at {} nm", short_number(stated_nm), short_number(used_nm));
  if (std::max(stated_nm, used_nm) <= kNearNode * std::min(stated_nm, used_nm)) return;
  price.from.warnings.push_back(
      fmt::format("{} is stated at {} nm: it is used unscaled at {} nm, because logic scaling does not hold for analog "
                  "circuits.",
                  law, short_number(stated_nm), short_number(used_nm)));
}

}  // namespace tellegen::circuits
