#include "tellegen/devices/cell_law.h"

namespace tellegen::devices {

double MiloLaw::square_A_per_V2(double g_S) {
  const double x = std::log10(g_S);
  return 7.063e-3 + x * (5.711e-3 + x * (1.541e-3 + x * 1.388e-4));
}

double MiloLaw::cube_A_per_V3(double g_S) {
  const double x = std::log10(g_S);
  return 1.2968e-3 + x * (6.7919e-4 + x * 8.871e-5);
}

std::span<const std::pair<CellLawKind, const char*>> enum_names(CellLawKind) {
  static constexpr std::pair<CellLawKind, const char*> names[] = {{CellLawKind::ohmic, "ohmic"},
                                                                  {CellLawKind::sinh, "sinh"},
                                                                  {CellLawKind::cubic, "cubic"},
                                                                  {CellLawKind::milo, "milo"}};
  return names;
}

void CellLawConfig::settings(Settings& v) {
  v("law", law,
    "current of a cell of conductance G: ohmic G v; sinh G v0 sinh(v / v0); cubic G v (1 + (v / v0)^2); "
    "milo, a published fit up to 0.5 V");
  v("v0", v0,
    "voltage at which sinh and cubic leave Ohm's law; 0.25 V is the sinh of the Stanford-PKU model (0.25 to 0.37 V are "
    "published), for cubic assumed",
    positive());
}

CellLaw CellLawConfig::make() const {
  switch (law) {
    case CellLawKind::sinh:
      return SinhLaw{v0.si()};
    case CellLawKind::cubic:
      return CubicLaw{v0.si()};
    case CellLawKind::milo:
      return MiloLaw{};
    case CellLawKind::ohmic:
      break;
  }
  return OhmicLaw{};
}

}  // namespace tellegen::devices
