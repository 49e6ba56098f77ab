#include "tellegen/sim/compare/path.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "tellegen/base/error.h"
#include "tellegen/circuits/cost/nonlinear_adc_cost.h"
#include "tellegen/circuits/digital/unit_figures.h"
#include "tellegen/mapping/gate_fit.h"
#include "tellegen/models/operators/pointwise.h"
#include "tellegen/sim/compare/stages.h"

namespace tellegen::compare {
namespace {

using circuits::FixedPoint;

circuits::GateFunction gate_for(Function function) {
  using Kind = models::Pointwise::Kind;
  const auto gate = [](Kind kind, float a = 0) { return mapping::gate_of(models::Pointwise(kind, a)).value(); };
  switch (function) {
    case Function::relu:
      return gate(Kind::relu);
    case Function::sigmoid:
      return gate(Kind::sigmoid);
    case Function::tanh:
      return gate(Kind::tanh);
    case Function::silu:
      return gate(Kind::silu);
    case Function::gelu:
      return gate(Kind::gelu_erf);
    case Function::tanh_sech:
      return gate(Kind::tanh_sech, 1);
    case Function::softmax:
      break;
  }
  throw std::logic_error("a softmax is no gate");
}

class Builder {
 public:
  Builder(const Task& task, const Sizes& sizes, Temperature temperature)
      : task_(task), sizes_(sizes), temperature_(temperature), costs_(*task.around.costs), node_(task.around.node) {}

  Path build() {
    switch (task_.option.path) {
      case PathKind::digital:
        add_input_adc();
        add_digital_unit();
        finish_digital();
        break;
      case PathKind::nonlinear_adc:
        add_nonlinear_adc();
        finish_digital();
        break;
      case PathKind::tg_after_dac:
        add_input_adc();
        add_dac("dac", adc_bits(), largest_word(), path_.stages);
        add_front_end();
        finish_analog("second_dac");
        break;
      case PathKind::analog:
        add_amplifier();
        add_front_end();
        finish_analog("second_amplifier");
        break;
    }
    return std::move(path_);
  }

 private:
  bool softmax() const { return task_.layer.function == Function::softmax; }
  bool to_array() const { return task_.layer.reader == Reader::array; }
  int shared() const { return task_.option.adc.columns_per_adc; }
  int adc_bits() const { return static_cast<int>(std::ceil(sizes_.enob)); }
  /// Of the digital side: of x, or for softmax of x log2(e).
  FixedPoint word() const {
    const double scale = task_.samples.x_scale / (softmax() ? std::numbers::ln2 : 1);
    return {adc_bits(), adc_bits() - 1 - static_cast<int>(std::lround(std::log2(scale))), true};
  }
  /// Largest word in units of x: the range of the ADC, whose codes then are the words.
  double largest_word() const { return word().value(word().highest()) * (softmax() ? std::numbers::ln2 : 1); }
  double hold_s() const { return to_array() ? task_.option.dac.full_drive().si() : 0; }

  /// A part that each lane has for itself.
  void charge(std::string component, circuits::Price price, double actions = 1) {
    path_.costs.push_back({std::move(component), std::move(price), actions, 1, 1, false});
  }
  /// A part that lanes take turns on.
  void charge_shared(std::string component, circuits::Price price) {
    path_.costs.push_back({std::move(component), std::move(price), 1, 1.0 / shared(), shared(), true});
  }
  circuits::AdcUse adc_use() const {
    circuits::AdcUse use;
    use.kind = task_.option.adc.kind;
    use.bits = sizes_.enob;
    use.node = node_;
    use.rate = task_.option.adc.rate;
    use.rows = task_.around.rows;
    use.temperature_K = temperature_.si();
    return use;
  }
  using Stages = std::vector<std::unique_ptr<Stage>>;
  circuits::AdcConfig sized_adc() const {
    circuits::AdcConfig config = task_.option.adc;
    config.bits = {adc_bits()};
    config.enob = sizes_.enob;
    return config;
  }
  void charge_adc(const std::string& component) {
    charge_shared(component, costs_.adc_conversion(adc_use()));
    if (shared() > 1) charge("sample_hold", costs_.sample_hold(node_));
  }
  void add_adc(const std::string& component, double full_scale, Stages& stages) {
    stages.push_back(adc_stage(sized_adc(), full_scale));
    charge_adc(component);
  }
  void add_input_adc() { add_adc("adc", largest_word(), path_.stages); }
  /// Where results of a gated layer are: behind the product; else where the activation is.
  Stages& last_stages() { return task_.layer.gated ? path_.behind : path_.stages; }

  void charge_dac(const std::string& component, int bits) {
    const circuits::DacConfig& dac = task_.option.dac;
    circuits::DacConfig sized = dac;
    sized.bits = {bits};
    const circuits::Dac whole{sized, 1, true};
    const int driven = dac.streaming == circuits::Streaming::full ? bits : dac.bits_per_slice;
    circuits::Price price = costs_.dac_drive({dac.kind, driven, node_, sized.full_drive()});
    price.latency_s *= whole.slices();
    charge(component, std::move(price), whole.slices());
  }
  void add_dac(const std::string& component, int bits, double full_scale, Stages& stages) {
    stages.push_back(dac_stage(task_.option.dac, full_scale));
    charge_dac(component, bits);
  }

  void add_digital_unit() {
    if (softmax()) {
      add_softmax_unit();
    } else if (task_.layer.function == Function::relu) {
      charge_shared("unit", costs_.activation("relu", node_));
      path_.stages.push_back(relu_stage(circuits::format_for(0, task_.samples.y_scale, sizes_.word_bits)));
    } else if (task_.option.unit == UnitKind::table) {
      auto table =
          std::make_shared<const circuits::LookupTable>(unit_function(task_.layer.function), word(), sizes_.word_bits);
      charge_shared("unit", circuits::price(*table, costs_, node_));
      path_.stages.push_back(unit_stage(std::move(table)));
    } else {
      circuits::PiecewiseLinearDesign design;
      design.function = unit_function(task_.layer.function);
      design.input = word();
      design.output_bits = sizes_.word_bits;
      design.segments = static_cast<int>(std::min<std::int64_t>(sizes_.segments, std::int64_t{1} << adc_bits()));
      design.placement = task_.option.placement;
      design.coefficient_bits = sizes_.word_bits + 2;
      design.hard_wired = task_.option.hard_wired;
      auto lines = std::make_shared<const circuits::PiecewiseLinear>(design);
      charge_shared("unit", circuits::price(*lines, costs_, node_));
      path_.stages.push_back(unit_stage(std::move(lines)));
    }
  }
  void add_softmax_unit() {
    circuits::SoftmaxDesign design;
    design.input = word();
    design.output_bits = sizes_.word_bits;
    design.power_bits = sizes_.word_bits + 2;
    design.reciprocal_bits = sizes_.word_bits;
    auto unit = std::make_shared<const circuits::SoftmaxUnit>(design);
    charge_shared("unit", circuits::price(*unit, task_.layer.length, costs_, node_));
    path_.stages.push_back(softmax_unit_stage(std::move(unit), task_.layer.length));
  }

  void add_nonlinear_adc() {
    if (softmax())
      throw InputError(
          std::string("a non-linear ADC computes functions of one number, and softmax is none; use path "
                      "digital, tg_after_dac or analog."));
    const OptionConfig& option = task_.option;
    const bool counts = option.method == circuits::NonlinearMethod::count;
    circuits::NonlinearBank::Design design;
    design.function = scalar_function(task_.layer.function);
    design.method = option.method;
    design.bits = sizes_.word_bits;
    design.input_bits = sizes_.word_bits + 1;
    design.low_A = -task_.samples.x_scale;
    design.high_A = task_.samples.x_scale;
    design.kind = option.adc.kind;
    design.calibration = option.adc.calibration;
    design.errors = option.adc.errors;
    design.errors.mismatch = std::hypot(design.errors.mismatch, unit_mismatch());
    const circuits::NonlinearAdc adc = *circuits::NonlinearBank::shape(design);
    path_.stages.push_back(nonlinear_adc_stage(design));
    circuits::AdcUse use = adc_use();
    if (counts) {
      use.rate = Frequency::si(option.ramp_clock.si() / static_cast<double>(adc.steps()));
      charge("nonlinear_adc", circuits::nonlinear_adc_price(adc, costs_, use, shared()));
    } else {
      charge_shared("nonlinear_adc", circuits::nonlinear_adc_price(adc, costs_, use, 1));
      if (shared() > 1) charge("sample_hold", costs_.sample_hold(node_));
    }
  }

  /// Of one step of the ramp, or one capacitor of a linear converter: what makes the end of the ramp, or the middle of the
  /// converter, deviate by sizes.deviation of the full scale of x.
  double unit_mismatch() const {
    if (task_.option.method == circuits::NonlinearMethod::count)
      return sizes_.deviation / 2 * std::sqrt(std::ldexp(1.0, sizes_.word_bits) - 1);
    return sizes_.deviation * std::sqrt(std::ldexp(1.0, sizes_.word_bits + 1));
  }

  void finish_digital() {
    if (task_.layer.gated) {
      // What comes through a non-linear ADC has as many bits as its words; the second product is converted linearly.
      const double bits = sizes_.enob;
      if (task_.option.path == PathKind::nonlinear_adc) sizes_.enob = sizes_.word_bits;
      add_adc("second_adc", 1, path_.second);
      sizes_.enob = bits;
      charge_shared("multiply", costs_.multiply(sizes_.word_bits, node_));
      path_.behind.push_back(
          word_stage(circuits::format_for(-task_.samples.y_scale, task_.samples.y_scale, sizes_.word_bits)));
    }
    if (to_array()) add_dac("dac", sizes_.word_bits, task_.samples.y_scale, last_stages());
  }

  void add_front_end() {
    if (softmax()) {
      std::shared_ptr<const circuits::SoftmaxCircuit> circuit =
          resized(task_.option.softmax, sizes_.area).make(temperature_);
      const double share = 1.0 / task_.layer.length;
      circuits::Price price =
          circuits::evaluation_price(circuit->cost(static_cast<std::size_t>(task_.layer.length)), hold_s());
      price.energy_J = share * price.energy_J;
      price.area_m2 = share * price.area_m2;
      charge("front_end", std::move(price));
      path_.stages.push_back(softmax_stage(std::move(circuit), task_.layer.length));
      return;
    }
    std::shared_ptr<const circuits::FrontEnd> front_end =
        resized(task_.option.front_end, sizes_.area, task_.samples.x_scale)
            .make(gate_for(task_.layer.function), temperature_);
    charge("front_end", circuits::evaluation_price(front_end->cost(), hold_s()));
    path_.stages.push_back(front_end_stage(std::move(front_end)));
  }
  void add_crossing(const std::string& component, const circuits::CrossingConfig& config, double full_scale,
                    double held_s, double area, Stages& stages) {
    std::shared_ptr<const circuits::Crossing> crossing = resized(config, area).make(temperature_);
    charge(component, circuits::evaluation_price(crossing->cost(), held_s));
    stages.push_back(crossing_stage(std::move(crossing), full_scale, task_.option.amplifier_residual));
  }
  void add_amplifier() {
    add_crossing("amplifier", task_.option.amplifier, task_.samples.x_scale, hold_s(), sizes_.area, path_.stages);
  }
  void finish_analog(const std::string& second) {
    if (task_.layer.gated) {
      if (second == "second_dac") {
        add_adc("second_adc", 1, path_.second);
        add_dac(second, adc_bits(), 1, path_.second);
      } else {
        add_crossing(second, task_.option.amplifier, 1, hold_s(), sizes_.area, path_.second);
      }
      add_crossing("multiplier", task_.option.multiplier, task_.samples.y_scale, hold_s(), sizes_.multiplier_area,
                   path_.behind);
    }
    if (!to_array()) add_adc("output_adc", task_.samples.y_scale, last_stages());
  }

  const Task& task_;
  Sizes sizes_;
  Temperature temperature_;
  const circuits::CostModel& costs_;
  Length node_;
  Path path_;
};

/// Each of `inputs` in front of each circuit, through stages of which the first has the number `first`.
std::vector<float> run_stages(const std::vector<std::unique_ptr<Stage>>& stages, const std::vector<float>& inputs,
                              const Circuits& circuits, std::size_t first) {
  const auto count = static_cast<std::size_t>(circuits.count);
  std::vector<float> values(inputs.size() * count);
  for (std::size_t e = 0; e < inputs.size(); ++e) std::fill_n(&values[e * count], count, inputs[e]);
  for (std::size_t s = 0; s < stages.size(); ++s)
    stages[s]->run(values, circuits, static_cast<std::uint32_t>(first + s));
  return values;
}

/// What leaves the path, [element][circuit].
std::vector<float> outputs_of(const Task& task, const Path& path, const Circuits& circuits) {
  std::vector<float> values = run_stages(path.stages, task.samples.x, circuits, 0);
  if (!task.layer.gated) return values;
  const std::size_t passed = path.stages.size();
  const std::vector<float> second = run_stages(path.second, task.samples.second, circuits, passed);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] *= second[i];
  for (std::size_t s = 0; s < path.behind.size(); ++s)
    path.behind[s]->run(values, circuits, static_cast<std::uint32_t>(passed + path.second.size() + s));
  return values;
}

void add_group_errors(const Task& task, const Path& path, const Circuits& circuits, std::vector<double>& errors) {
  std::vector<float> y = task.samples.y;
  for (std::size_t e = 0; task.layer.gated && e < y.size(); ++e) y[e] *= task.samples.second[e];
  const auto count = static_cast<std::size_t>(circuits.count);
  const std::vector<float> values = outputs_of(task, path, circuits);
  for (std::size_t c = 0; c < count; ++c) {
    double squares = 0;
    for (std::size_t e = 0; e < y.size(); ++e)
      squares += std::pow(static_cast<double>(values[e * count + c]) - static_cast<double>(y[e]), 2);
    errors.push_back(std::sqrt(squares / static_cast<double>(y.size())) / task.samples.y_scale);
  }
}

}  // namespace

Path make_path(const Task& task, const Sizes& sizes, Temperature temperature) {
  return Builder(task, sizes, temperature).build();
}

std::vector<double> circuit_errors(const Task& task, const Sizes& sizes) {
  std::vector<double> errors;
  const auto groups = static_cast<int>(task.around.temperatures.size());
  for (int g = 0; g < groups; ++g) {
    const int first = g * task.around.circuits / groups, last = (g + 1) * task.around.circuits / groups;
    if (first == last) continue;
    const Path path = make_path(task, sizes, task.around.temperatures[static_cast<std::size_t>(g)]);
    add_group_errors(task, path, {task.around.seed, static_cast<std::uint32_t>(g), last - first}, errors);
  }
  return errors;
}

double percentile(std::vector<double> values, double percent) {
  TELLEGEN_ASSERT(!values.empty());
  std::sort(values.begin(), values.end());
  const double rank = std::ceil(percent / 100 * static_cast<double>(values.size()));
  return values[static_cast<std::size_t>(std::max(1.0, rank)) - 1];
}

}  // namespace tellegen::compare
