// Threshold gates over arrays of units, with mismatch and noise, against a plain SiLU with the same exponential and the
// same vector units, in turns in the same run: per element with one threshold, per pair of the gate with two, however many
// transistor pairs a signed tail takes. Exit code 1 where a goal is missed.

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tellegen/base/vector_units.h"
#include "tellegen/circuits/front_end/threshold_gate.h"
#include "tellegen/devices/real_math.h"

namespace tellegen::circuits {
namespace {

constexpr std::int64_t units = 1152, batch = 64;
constexpr int repetitions = 60;
constexpr double most_times_silu = 4;

struct Silu {
  static TELLEGEN_KERNEL void run(const float* __restrict x, std::int64_t count, float* __restrict y) {
    for (std::int64_t i = 0; i < count; ++i) y[i] = x[i] / (1.0f + devices::exponential(-x[i]));
  }
};

double now_s() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

struct Case {
  std::string name;
  std::unique_ptr<FrontEnd> circuit;
  double counted;  ///< the goal holds per element with one threshold, per pair of the gate with two
  UnitErrors errors;
  std::vector<double> times_s;
};

std::vector<Case> cases() {
  const Stream made(1, Purpose::mismatch, {});
  std::vector<Case> out;
  const auto add = [&](const char* name, const GateSettings& settings, const GateFunction& gate) {
    auto circuit = std::make_unique<ThresholdGate>(settings, gate, Temperature::si(300));
    UnitErrors errors = circuit->sample(made, 0, units);
    out.push_back({name, std::move(circuit), static_cast<double>(gate.thresholds.size()), std::move(errors), {}});
  };
  GateSettings settings;
  add("K = 2, fixed tail (sigmoid)", settings, sigmoid_gate());
  GateFunction gelu;
  gelu.slopes = {0, 0.5, 1};
  gelu.constants = {0, 0.00643, 0};
  gelu.thresholds = {-0.615071, 0.615071};
  gelu.sharpness = {2.242734, 2.242734};
  GateFunction steps = gelu;
  steps.slopes = {0, 0, 0};
  steps.constants = {0, 0.5, 1};
  add("K = 3, fixed tails", settings, steps);
  for (const auto& [way, name] : enum_names(SignedTail{})) {
    settings.signed_tail = way;
    add((std::string("K = 2, SiLU, ") + name).c_str(), settings, swish_gate(1));
    add((std::string("K = 3, GELU, ") + name).c_str(), settings, gelu);
  }
  // tanh sech from two pairs of unequal sharpness, the difference of which is signed.
  auto signed_pairs = find_front_end("memglu_pairs").defaults()->make(tanh_sech_gate(1), Temperature::si(300));
  UnitErrors errors = signed_pairs->sample(made, 0, units);
  out.push_back({"tanh sech, signed two-pair", std::move(signed_pairs), 2, std::move(errors), {}});
  return out;
}

double median(std::vector<double> values) {
  std::ranges::sort(values);
  return values[values.size() / 2];
}

int run() {
  std::vector<float> x(units * batch), y(x.size());
  Stream(1, Purpose::test, {}).normals(0, x);
  const Stream noise(1, Purpose::front_end_noise, {});
  std::vector<Case> all = cases();
  std::vector<double> silu_s;
  const VectorUnit unit = best_vector_unit();
  const auto timed = [](std::vector<double>& times_s, const std::function<void()>& work) {
    const double start_s = now_s();
    work();
    times_s.push_back(now_s() - start_s);
  };
  for (int r = 0; r < repetitions; ++r) {
    timed(silu_s, [&] {
      // Row by row, as the front-ends go.
      for (std::int64_t s = 0; s < batch; ++s)
        run_kernel<Silu>(unit, x.data() + s * units, units, y.data() + s * units);
    });
    for (Case& c : all) timed(c.times_s, [&] { c.circuit->evaluate(x, c.errors, &noise, 0, y); });
  }
  const double elements = static_cast<double>(x.size());
  fmt::print("plain SiLU {:.2f} ns per element (median {:.2f})\n\n", std::ranges::min(silu_s) / elements * 1e9,
             median(silu_s) / elements * 1e9);
  fmt::print("{:<32} {:>6} {:>11} {:>14} {:>10}  goal\n", "front-end, mismatch and noise", "counts", "ns/element",
             "SiLU per count", "(median)");
  bool met = true;
  for (const Case& c : all) {
    const double best = std::ranges::min(c.times_s) / std::ranges::min(silu_s) / c.counted;
    met = met && best <= most_times_silu;
    fmt::print("{:<32} {:>6} {:>11.2f} {:>14.2f} {:>10.2f}  <= {} {}\n", c.name, c.counted,
               std::ranges::min(c.times_s) / elements * 1e9, best, median(c.times_s) / median(silu_s) / c.counted,
               most_times_silu, best <= most_times_silu ? "met" : "MISSED");
  }
  return met ? 0 : 1;
}

}  // namespace
}  // namespace tellegen::circuits

int main() { return tellegen::circuits::run(); }
