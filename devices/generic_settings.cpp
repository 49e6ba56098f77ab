// What a configuration says about the generic device; generic.cpp is what it does.

#include "tellegen/devices/generic.h"

namespace tellegen::devices {
namespace {

constexpr Energy highest_activation = Energy::si(1.602176634e-18);  // 10 eV

}  // namespace

std::span<const std::pair<Distribution, const char*>> enum_names(Distribution) {
  static constexpr std::pair<Distribution, const char*> names[] = {
      {Distribution::normal, "normal"}, {Distribution::uniform, "uniform"}, {Distribution::lognormal, "lognormal"}};
  return names;
}

void SpreadLaw::settings(Settings& v) {
  v("absolute", absolute, "part of the standard deviation that is the same for all conductances",
    between(Conductance::si(0), highest_conductance));
  v("proportional", proportional, "part of the standard deviation that grows with the conductance, as a share of it",
    between(0, 10));
}

void ProgrammingNoise::settings(Settings& v) {
  law.settings(v);
  v.list("per_level", per_level,
         "standard deviations at evenly spaced targets from g_min to g_max, linear between; instead of absolute and "
         "proportional",
         at_least(0));
  v.require(per_level.size() != 1, "per_level",
            "has a single value; allowed: none, or one for g_min, one for g_max, and any number between.");
  v.require(per_level.empty() || (law.absolute.si() == 0 && law.proportional == 0), "per_level",
            "stands beside absolute or proportional; allowed: either the list or these two.");
  v("form", form, "distribution of the programmed conductance about its target");
  v.require(form != Distribution::lognormal || (law.absolute.si() == 0 && per_level.empty()), "form",
            "= 'lognormal' scales with the conductance; allowed with it: proportional alone.");
}

void PowerLawDrift::settings(Settings& v) {
  v("exponent", exponent, "mean of nu in G(t) = G ((t + t0) / t0)^-nu", between(-1, 10));
  v("spread", spread, "standard deviation of nu between cells", between(0, 1));
  v("t0", t0, "time after programming at which G was verified", positive());
}

void ArrheniusLaw::settings(Settings& v) {
  v("activation_energy", activation_energy, "mean of E in G(T) = G exp(-E / k (1 / T - 1 / reference))",
    between(-1 * highest_activation, highest_activation));
  v("spread", spread, "standard deviation of E between cells", between(Energy::si(0), highest_activation));
  v("reference", reference, "temperature at which cells were programmed", positive());
}

void GenericParameters::settings(Settings& v) {
  range.settings(v);
  v.section("programming_noise", programming_noise, "spread of the programmed conductance about its target");
  v.section("read_noise", read_noise, "spread of one read about the mean");
  v.section("flicker", flicker, "1/f read noise");
  v.section("telegraph", telegraph, "random telegraph noise of one trap per cell");
  v.section("drift", drift, "power-law drift with age");
  v.section("retention", retention, "loss of the stored conductance with age, faster when hot");
  v.section("read_disturb", read_disturb, "what reads do to the stored conductance");
  v.section("endurance", endurance, "how earlier write cycles narrow the range");
  v.section("thermal", thermal, "conductance at another temperature than that of programming");
}

}  // namespace tellegen::devices
