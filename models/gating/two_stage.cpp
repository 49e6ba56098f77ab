#include "tellegen/models/gating/two_stage.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/models/gating/forms.h"

namespace tellegen::models::gating {

namespace {

/// amplitude / (1 + exp(tau (d - theta))): the falling output of one pair.
ThresholdGate falling(double amplitude, double tau, double theta) {
  return single_threshold(Kernel::logistic, tau, theta, {0, 0}, {amplitude, 0});
}

TwoStageForm softplus_form(const char* name, SoftplusUnit unit, double error) {
  return {name,
          "ReLU(x) plus softplus(-|x|), which falls from log 2 to 0 and is almost a pair.",
          "identity softplus(x) = max(x, 0) + softplus(-|x|); unit fitted by Nelder-Mead",
          {ActivationKind::softplus},
          error,
          *exact_gate({ActivationKind::relu}),
          Fold::magnitude,
          softplus_unit(unit),
          0};
}

TwoStageForm elu_form(double amplitude, double error) {
  return {fmt::format("elu_amplitude_{:.0f}", amplitude),
          fmt::format("ReLU(x) plus exp(-max(-x, 0)) - 1, the exponential as the tail of a pair of amplitude {:.0f}.",
                      amplitude),
          "identity ELU(x) = max(x, 0) + exp(-max(-x, 0)) - 1; unit fitted by Nelder-Mead",
          {ActivationKind::elu, 1},
          error,
          *exact_gate({ActivationKind::relu}),
          Fold::negative_part,
          exponential_unit(amplitude),
          -1};
}

}  // namespace

double value(const TwoStageForm& form, double x) {
  const double folded = form.fold == Fold::magnitude ? std::abs(x) : std::max(-x, 0.0);
  return value(form.first, x) + value(form.second, folded) + form.offset;
}

ThresholdGate softplus_unit(SoftplusUnit unit) {
  switch (unit) {
    case SoftplusUnit::one_pair:
      return falling(2.5104328989408695, 0.9843378103623177, -0.9800090092567147);
    case SoftplusUnit::one_pair_exact_at_0: {
      const double tau = 0.9825805317837825, theta = -0.9983721425194064;
      return falling(std::log(2.0) / sigmoid(tau * theta), tau, theta);
    }
    case SoftplusUnit::two_pairs: {
      const double outer = 2.5466907263058545, inner = 0.843940316522217;
      return {
          Kernel::logistic, Construction::telescoping, {0.9998817491507926}, {-1.8703207295259328, -0.3294752145572942},
          {0, 0, 0},        {outer + inner, inner, 0}};
    }
  }
  return {};
}

ThresholdGate exponential_unit(double amplitude) {
  struct Row {
    double amplitude, tau, theta;
  };
  static constexpr std::array rows{
      Row{2, 1.409287098216629, -0.04165672624280173}, Row{4, 1.165621479398224, -0.9567599432678244},
      Row{10, 1.059603441668403, -2.0784112651340187}, Row{20, 1.0288468929401748, -2.864151353040044}};
  for (const Row& row : rows)
    if (row.amplitude == amplitude) return falling(row.amplitude, row.tau, row.theta);
  throw InputError(fmt::format("A unit for exp(-d) has the amplitude '{}'; allowed are 2, 4, 10 and 20.", amplitude));
}

std::span<const TwoStageForm> two_stage_catalog() {
  static const std::vector<TwoStageForm> forms{
      softplus_form("softplus_one_pair", SoftplusUnit::one_pair, 4.0284e-4),
      softplus_form("softplus_one_pair_exact_at_0", SoftplusUnit::one_pair_exact_at_0, 4.7600e-4),
      softplus_form("softplus_two_pairs", SoftplusUnit::two_pairs, 1.1607e-6),
      elu_form(2, 0.0293447),
      elu_form(4, 0.0124040),
      elu_form(10, 0.00455120),
      elu_form(20, 0.00221520)};
  return forms;
}

}  // namespace tellegen::models::gating
