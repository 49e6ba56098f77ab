// Softmax out of threshold gates: p_k = sigma(z_k - LSE of the others), the log-sum-exps from cells of an analog maximum
// and one constant-family gate.

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/cost_sum.h"
#include "tellegen/circuits/front_end/memglu_front_ends.h"
#include "tellegen/circuits/front_end/memglu_settings.h"
#include "tellegen/circuits/front_end/softmax_circuit.h"
#include "tellegen/circuits/front_end/softmax_counts.h"
#include "tellegen/circuits/front_end/softmax_order.h"
#include "tellegen/circuits/front_end/softmax_split.h"
#include "tellegen/devices/mosfet/ekv.h"
#include "tellegen/devices/mosfet/mismatch.h"
#include "tellegen/devices/technology/physical_constants.h"

namespace tellegen::circuits {
namespace {

/// ln(1 + e^-d) for d >= 0 as size sigma(-sharpness (d + threshold)), largest error 4.03e-4.
struct SoftplusUnit {
  double size, sharpness, threshold;
};
constexpr SoftplusUnit softplus_unit{2.5104328989408695, 0.9843378103623177, 0.9800090092567147};
constexpr double nothing = -std::numeric_limits<double>::infinity();

enum class Order { tree, chain };

/// The share of a pair against its input in x, in steps of 1/64, straight in between: within 3e-5 of a share.
class PairCurve {
 public:
  PairCurve(double per_x, double tail, double range) : range_(range) {
    const auto count = static_cast<int>(2 * range * per_step);
    for (int k = 0; k <= count; ++k) values_.push_back(split_pair(per_x * (k / per_step - range), tail) / tail);
  }
  double operator()(double x) const {
    const double at = (std::clamp(x, -range_, range_) + range_) * per_step;
    const auto cell = std::min(static_cast<std::size_t>(at), values_.size() - 2);
    const double t = at - static_cast<double>(cell);
    return values_[cell] + t * (values_[cell + 1] - values_[cell]);
  }

 private:
  static constexpr double per_step = 64;
  double range_;
  std::vector<double> values_;
};

class SoftmaxTg final : public SoftmaxCircuit {
 public:
  SoftmaxTg(const GateBias& bias, Order order, Temperature temperature)
      : bias_(bias),
        order_(order),
        transistor_(bias, temperature),
        supply_V_(bias.supply_V()),
        curve_(transistor_.per_x, transistor_.tail, 40) {
    gate_planes_ = gate_planes(transistor_);
    cell_planes_ = cell_planes(transistor_);
    if (!bias_.trim) return;
    const BiasedTransistor measured(bias_, bias_.trim->measured_at);
    const double carry = measured.volts_per_x / transistor_.volts_per_x;
    const std::vector<ErrorPlane> gate = gate_planes(measured), cell = cell_planes(measured);
    gate_trim_ = {gate_planes_[0].deviation, gate[0].deviation, carry};
    for (std::size_t plane = 0; plane < cell.size(); ++plane)
      cell_trim_.push_back({cell_planes_[plane].deviation, cell[plane].deviation, cell[plane].unit == "x" ? carry : 1});
  }

  void evaluate(std::span<const float> z, std::size_t n, std::span<const unsigned char> masked,
                const SoftmaxErrors& errors, const Stream* noise, std::uint64_t first_row,
                std::span<float> p) const override;
  std::size_t draws_per_row(std::size_t n) const override { return n; }
  std::vector<double> row(std::span<const double> z) const override;
  const std::vector<ErrorPlane>& output_planes() const override { return gate_planes_; }
  const std::vector<ErrorPlane>& cell_planes() const override { return cell_planes_; }
  SoftmaxErrors sample(const Stream& mismatch, std::size_t n) const override;
  std::vector<double> output_noise(std::span<const double> z) const override;
  double input_range() const override { return bias_.input_range; }
  double floor(std::size_t n) const override {
    if (n == 1) return 1;
    return split_pair(-transistor_.per_x * (bias_.input_range + std::log(static_cast<double>(n) - 1)),
                      transistor_.tail) /
           transistor_.tail;
  }
  FrontEndCost cost(std::size_t n) const override;
  EnergyBook energy(std::span<const double> z_before, std::span<const double> z, double duration_s) const override;

 private:
  double offset_x(const BiasedTransistor& transistor) const {
    const double ic = 0.5 * transistor.tail;
    const auto mismatch = devices::pair_mismatch(bias_.mosfet, ic);
    return devices::pair_offset_V(mismatch, transistor.slope, transistor.thermal_V, ic) / transistor.volts_per_x;
  }
  std::vector<ErrorPlane> gate_planes(const BiasedTransistor& transistor) const {
    return {{"threshold", "x", offset_x(transistor)}};
  }
  std::vector<ErrorPlane> cell_planes(const BiasedTransistor& transistor) const {
    const double ic = 0.5 * transistor.tail, offset = offset_x(transistor);
    const double mirror =
        devices::mirror_error(devices::pair_mismatch(bias_.mosfet, ic), transistor.slope, transistor.thermal_V, ic);
    return {{"maximum: offset", "x", offset},
            {"softplus: threshold", "x", offset / softplus_unit.sharpness},
            {"softplus: size", "", mirror}};
  }
  LseOrder order_of(std::size_t n) const { return order_ == Order::tree ? tree_order(n) : chain_order(n); }
  /// One cell with errors of its own.
  double cell(double a, double b, double max_offset, double threshold, double size) const {
    // A cell without one of its inputs passes the other on through a switch.
    if (a == nothing) return b;
    if (b == nothing) return a;
    // The comparator takes the wrong one where they differ by less than its offset.
    const bool first = a - b > max_offset;
    const double larger = first ? a : b, d = first ? a - b : b - a;
    return larger + (1 + size) * softplus_unit.size *
                        curve_(-softplus_unit.sharpness * (d + softplus_unit.threshold + threshold));
  }
  /// Log-sum-exps of all values; inputs are clipped to the range below the largest.
  std::vector<double> sums(std::span<const double> z, const LseOrder& order, const UnitErrors& errors) const;
  std::vector<double> clipped(std::span<const double> z) const;
  FrontEndCost cell_cost() const;
  FrontEndCost gate_cost() const;
  /// Noise of one pair's input in x.
  double pair_noise_x(double bandwidth_Hz) const {
    const double white = 2 * transistor_.white_per_Hz(0.5 * transistor_.tail, bias_.mosfet.card.white_excess);
    return std::sqrt(white * bandwidth_Hz + 2 * transistor_.flicker(bias_, bandwidth_Hz)) / transistor_.per_x;
  }

  GateBias bias_;
  Order order_;
  BiasedTransistor transistor_;
  double supply_V_;
  PairCurve curve_;
  std::vector<ErrorPlane> gate_planes_, cell_planes_;
  TrimmedDeviation gate_trim_;               ///< where units are trimmed
  std::vector<TrimmedDeviation> cell_trim_;  ///< likewise, by plane
};

std::vector<double> SoftmaxTg::clipped(std::span<const double> z) const {
  const double top = *std::ranges::max_element(z);
  std::vector<double> result;
  for (const double one : z) result.push_back(one == nothing ? nothing : std::max(one - top, -bias_.input_range));
  return result;
}

std::vector<double> SoftmaxTg::sums(std::span<const double> z, const LseOrder& order, const UnitErrors& errors) const {
  std::vector<double> values = clipped(z);
  values.resize(order.values);
  for (std::size_t k = 0; k < order.steps.size(); ++k) {
    const LseStep& step = order.steps[k];
    const auto error = [&](std::size_t plane) {
      return errors.units == 0 ? 0.0 : static_cast<double>(errors.plane(plane)[k]);
    };
    values[step.out] = cell(values[step.a], values[step.b], error(0), error(1), error(2));
  }
  return values;
}

void SoftmaxTg::evaluate(std::span<const float> z, std::size_t n, std::span<const unsigned char> masked,
                         const SoftmaxErrors& errors, const Stream* noise, std::uint64_t first_row,
                         std::span<float> p) const {
  TELLEGEN_ASSERT(n > 0 && z.size() % n == 0 && p.size() == z.size());
  const LseOrder order = order_of(n);
  TELLEGEN_ASSERT(errors.outputs.units == 0 || errors.outputs.units == static_cast<std::int64_t>(n));
  TELLEGEN_ASSERT(errors.cells.units == 0 || errors.cells.units == static_cast<std::int64_t>(order.steps.size()));
  const double noise_x = noise == nullptr ? 0 : pair_noise_x(noise_bandwidth_Hz(gate_cost().bandwidth_Hz));
  std::vector<double> row_z(n);
  std::vector<float> draws(n);
  for (std::size_t r = 0; r < z.size() / n; ++r) {
    for (std::size_t k = 0; k < n; ++k) {
      const bool out = !masked.empty() && masked[r * n + k] != 0;
      row_z[k] = out ? nothing : static_cast<double>(z[r * n + k]);
    }
    const std::vector<double> values = sums(row_z, order, errors.cells);
    if (noise != nullptr) noise->normals((first_row + r) * n, draws);
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t at = order.exclusive[k];
      const double others = at == LseOrder::nothing ? nothing : values[at];
      double x = values[k] - others;
      if (errors.outputs.units > 0) x -= static_cast<double>(errors.outputs.plane(0)[k]);
      if (noise != nullptr) x += noise_x * static_cast<double>(draws[k]);
      const double share = values[k] == nothing ? 0 : others == nothing ? 1 : curve_(x);
      p[r * n + k] = static_cast<float>(share);
    }
  }
}

std::vector<double> SoftmaxTg::row(std::span<const double> z) const {
  const LseOrder order = order_of(z.size());
  const std::vector<double> values = sums(z, order, {});
  std::vector<double> p;
  for (std::size_t k = 0; k < z.size(); ++k) {
    const std::size_t at = order.exclusive[k];
    p.push_back(at == LseOrder::nothing ? 1 : curve_(values[k] - values[at]));
  }
  return p;
}

SoftmaxErrors SoftmaxTg::sample(const Stream& mismatch, std::size_t n) const {
  const std::size_t cells = order_of(n).steps.size();
  SoftmaxErrors errors;
  errors.outputs = {static_cast<std::int64_t>(n), std::vector<float>(n)};
  errors.cells = {static_cast<std::int64_t>(cells), std::vector<float>(3 * cells)};
  mismatch.normals(0, errors.outputs.values);
  mismatch.normals(n, errors.cells.values);
  const auto scale = [&](std::span<float> draws, const ErrorPlane& plane, const TrimmedDeviation* trimmed) {
    for (float& draw : draws)
      draw = trimmed == nullptr ? draw * static_cast<float>(plane.deviation)
                                : static_cast<float>(trimmed->left_of(static_cast<double>(draw), bias_.trim));
  };
  scale(errors.outputs.values, gate_planes_[0], bias_.trim ? &gate_trim_ : nullptr);
  for (std::size_t plane = 0; plane < 3; ++plane)
    scale(errors.cells.plane(plane), cell_planes_[plane], bias_.trim ? &cell_trim_[plane] : nullptr);
  return errors;
}

std::vector<double> SoftmaxTg::output_noise(std::span<const double> z) const {
  const double noise_x = pair_noise_x(noise_bandwidth_Hz(gate_cost().bandwidth_Hz));
  std::vector<double> result = row(z);
  // The last gate's noise alone: that of the cells before it is averaged over their slopes, at most a quarter each.
  for (double& p : result) p = p * (1 - p) * noise_x;
  return result;
}

FrontEndCost SoftmaxTg::cell_cost() const {
  FrontEndCost cost;
  cost.supply_V = supply_V_;
  const double bias_A = bias_.bias.si(), wl = bias_.gate_area_m2(), half = 0.5 * transistor_.tail;
  cost.branches = {
      {"cells: pair of the softplus", Band::exact(bias_A), "the setting"},
      {"cells: mirror onto the maximum", Band::exact(0.5 * bias_A), "half the tail"},
      {"cells: comparator", {0.5 * bias_A, bias_A, 4 * bias_A}, "as much as the pair (half to four times), assumed"},
      {"cells: buffer of the maximum", Band::exact(bias_A), "as much as the pair, assumed"},
      {"cells: bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"}};
  cost.loads = {{"cells: source of the pair", 3 * wiring_F, Band::exact(transistor_.source_ohm(transistor_.tail)),
                 "three drains; 1 / g_ms at balance"},
                {"cells: mirror", 2 * wl * oxide_F_per_m2 + 3 * wiring_F, Band::exact(transistor_.gate_ohm(half)),
                 "two gates; 1 / g_m at half the tail"},
                {"cells: buffer", 3 * wl * oxide_F_per_m2 + 4 * wiring_F, Band::exact(transistor_.gate_ohm(half)),
                 "gates of the next cell; 1 / g_m at half the bias"}};
  cost.areas = {transistor_area("cells: 18 transistors each", 18, wl)};
  sum_costs(cost, bias_.settled_bits, transistor_.volts_per_x);
  return cost;
}

FrontEndCost SoftmaxTg::gate_cost() const {
  FrontEndCost cost;
  cost.supply_V = supply_V_;
  const double bias_A = bias_.bias.si(), wl = bias_.gate_area_m2(), half = 0.5 * transistor_.tail;
  cost.branches = {{"gates: pair", Band::exact(bias_A), "the setting"},
                   {"gates: output mirror", Band::exact(0.5 * bias_A), "half the tail"},
                   {"gates: bias reference", Band::exact(bias_A), "as much as it mirrors, counted in full"}};
  cost.loads = {{"gates: source of the pair", 3 * wiring_F, Band::exact(transistor_.source_ohm(transistor_.tail)),
                 "three drains; 1 / g_ms at balance"},
                {"gates: output", Band::exact(bias_.load.si()), Band::exact(transistor_.gate_ohm(half)),
                 "the setting; 1 / g_m at half the tail"}};
  cost.areas = {transistor_area("gates: 6 transistors and a mask switch each", 6.25, wl)};
  sum_costs(cost, bias_.settled_bits, transistor_.volts_per_x);
  return cost;
}

FrontEndCost SoftmaxTg::cost(std::size_t n) const {
  const FrontEndCost cell = cell_cost(), gate = gate_cost();
  const auto inputs = static_cast<std::int64_t>(n);
  const auto cells = static_cast<double>(exclusive_lse_cells(inputs)), gates = static_cast<double>(n);
  const auto depth = static_cast<double>(order_ == Order::tree ? tree_depth(inputs) : chain_depth(inputs));
  FrontEndCost total = cell;
  for (SupplyBranch& branch : total.branches) branch.current_A = cells * branch.current_A;
  for (SupplyBranch branch : gate.branches) {
    branch.current_A = gates * branch.current_A;
    total.branches.push_back(branch);
  }
  total.loads.insert(total.loads.end(), gate.loads.begin(), gate.loads.end());
  for (AreaPart& part : total.areas) part.area_m2 = cells * part.area_m2;
  total.areas.push_back({gate.areas[0].name, gates * gate.areas[0].area_m2, gate.areas[0].from});
  total.area_m2 = cells * cell.area_m2 + gates * gate.area_m2;
  if (const auto trim = trim_area(bias_.trim, gates + 3 * cells)) {
    total.areas.push_back(*trim);
    total.area_m2 += trim->area_m2;
  }
  total.power_W = cells * cell.power_W + gates * gate.power_W;
  total.settling_s = depth * cell.settling_s + gate.settling_s;
  total.evaluation_s = total.settling_s.typical;
  total.bandwidth_Hz = 1 / (depth / cell.bandwidth_Hz + 1 / gate.bandwidth_Hz);
  const double wl = bias_.gate_area_m2();
  const Band switches = gates * supply_V_ * supply_V_ * 0.25 * wl * oxide_F_per_m2;
  total.dynamic_J = cells * cell.dynamic_J + gates * gate.dynamic_J + switches;
  const Band &w = total.power_W, &t = total.settling_s;
  total.energy_J = Band{w.low * t.low, w.typical * t.typical, w.high * t.high} + total.dynamic_J;
  total.assumptions = {
      "All cells stay on while the row settles through the longest way.",
      "Gates load their nodes with 8.4 fF/um2 (5 to 15), drains and wires with 1 fF per transistor (0.5 to 2)."};
  return total;
}

EnergyBook SoftmaxTg::energy(std::span<const double> z_before, std::span<const double> z, double t_s) const {
  EnergyBook book;
  const LseOrder order = order_of(z.size());
  const std::vector<double> values = sums(z, order, {}), before = sums(z_before, order, {});
  const double bias_A = bias_.bias.si(), common_V = 0.6 * supply_V_, out_V = 0.5 * supply_V_;
  // A pair's two legs: the output's into a mirror, the other straight from the supply.
  const auto source_V = [&](double x) {
    const std::array v{0.5 * transistor_.per_x * x, -0.5 * transistor_.per_x * x}, size{1.0, 1.0};
    const double pinch = (common_V - transistor_.mosfet.threshold_V()) / transistor_.slope;
    return pinch + transistor_.thermal_V * source_voltage(v, size, transistor_.tail);
  };
  const auto pair = [&](const std::string& name, double x, double x_before) {
    const double share = curve_(x), source = source_V(x);
    const double diode_V = transistor_.gate_source_V(std::max(1e-12, share * transistor_.tail));
    const std::array<Drop, 3> output{Drop{name + ": mirror", diode_V},
                                     Drop{name + ": pair", supply_V_ - diode_V - source},
                                     Drop{name + ": tail", source}};
    const std::array<Drop, 2> other{Drop{name + ": pair", supply_V_ - source}, Drop{name + ": tail", source}};
    book_branch(book, supply_V_, name + ": output", share * bias_A, t_s, output);
    book_branch(book, supply_V_, name + ": other side", (1 - share) * bias_A, t_s, other);
    book.supplied.push_back({name + ": copy", supply_V_ * share * bias_A * t_s});
    book.dissipated.push_back({name + ": copy", (supply_V_ - out_V) * share * bias_A * t_s});
    book.delivered.push_back({name + ": copy", out_V * share * bias_A * t_s});
    book_charging(book, supply_V_, name + ": source", 3 * wiring_F.typical, source_V(x_before), source);
  };
  const double diode_V = transistor_.gate_source_V(transistor_.tail);
  const std::array<Drop, 2> reference{Drop{"current reference", supply_V_ - diode_V}, Drop{"bias reference", diode_V}};
  for (const LseStep& step : order.steps) {
    const auto input = [&](const std::vector<double>& at) {
      return -softplus_unit.sharpness * (std::abs(at[step.a] - at[step.b]) + softplus_unit.threshold);
    };
    pair("cell", input(values), input(before));
    book_branch(book, supply_V_, "bias reference", bias_A, t_s, reference);
    const std::array<Drop, 1> comparator{Drop{"comparator", supply_V_}}, buffer{Drop{"buffer", supply_V_}};
    book_branch(book, supply_V_, "comparator", bias_A, t_s, comparator);
    book_branch(book, supply_V_, "buffer", bias_A, t_s, buffer);
  }
  for (std::size_t k = 0; k < z.size(); ++k) {
    const std::size_t at = order.exclusive[k];
    if (at != LseOrder::nothing) pair("gate", values[k] - values[at], before[k] - before[at]);
    book_branch(book, supply_V_, "bias reference", bias_A, t_s, reference);
  }
  return book;
}

template <Order order>
class TgParameters final : public SoftmaxParameters {
 public:
  void settings(Settings& v) override { bias_.settings(v); }
  std::unique_ptr<SoftmaxCircuit> make(Temperature temperature) const override {
    return std::make_unique<SoftmaxTg>(bias_, order, temperature);
  }
  std::unique_ptr<SoftmaxParameters> clone() const override { return std::make_unique<TgParameters>(*this); }

 private:
  GateBias bias_;
};

constexpr const char* tg_equations =
    "p_k = sigma(z_k - LSE of the others), LSE(a, b) = max(a, b) + 2.5104 sigma(-0.98434 (|a - b| + 0.98001)) within "
    "4.03e-4; "
    "3 n - 6 cells. The sum of p is 1 only as far as cells and gates are exact.";
constexpr const char* tg_source = "own derivation and fit of ln(1 + e^-d) by one constant-family gate";

}  // namespace

SoftmaxEntry softmax_tree_entry() {
  return {"softmax_tree",
          "Threshold gates against the log-sum-exp of the others, which a tree of cells makes.",
          std::string(tg_equations) + " Depth 2 ceil(log2 n) - 2.",
          tg_source,
          "softmax: {circuit: softmax_tree}",
          [] { return std::unique_ptr<SoftmaxParameters>(new TgParameters<Order::tree>); }};
}

SoftmaxEntry softmax_chain_entry() {
  return {"softmax_chain",
          "Threshold gates against the log-sum-exp of the others, from running sums of both ends of the row.",
          std::string(tg_equations) + " Depth n - 2.",
          tg_source,
          "softmax: {circuit: softmax_chain}",
          [] { return std::unique_ptr<SoftmaxParameters>(new TgParameters<Order::chain>); }};
}

}  // namespace tellegen::circuits
