#include "tellegen/models/gating/recurrent_cell.h"

#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/models/gating/forms.h"

namespace tellegen::models::gating {

namespace {

Eigen::VectorXd through(const ThresholdGate& gate, const Eigen::VectorXd& u) {
  return u.unaryExpr([&](double v) { return value(gate, v); });
}

void check_shapes(const CellWeights& weights, Eigen::Index blocks, const Eigen::VectorXd& x, const Eigen::VectorXd& h) {
  const Eigen::Index rows = blocks * h.size();
  TELLEGEN_ASSERT(weights.input.rows() == rows && weights.input.cols() == x.size());
  TELLEGEN_ASSERT(weights.recurrent.rows() == rows && weights.recurrent.cols() == h.size());
  TELLEGEN_ASSERT(weights.input_bias.size() == rows && weights.recurrent_bias.size() == rows);
}

}  // namespace

CellGates::CellGates() : CellGates(*exact_gate({ActivationKind::sigmoid}), *exact_gate({ActivationKind::tanh})) {}
CellGates::CellGates(ThresholdGate for_sigmoid, ThresholdGate for_tanh)
    : sigmoid(std::move(for_sigmoid)), tanh(std::move(for_tanh)) {
  validate(sigmoid);
  validate(tanh);
}

bool keeps_constant_family(const CellGates& gates) {
  const auto constant = [](const ThresholdGate& gate) {
    return family(gate) == Family::constant && gate.slope[0] == 0;
  };
  return constant(gates.sigmoid) && constant(gates.tanh);
}

LstmStep lstm_step(const CellWeights& weights, const Eigen::VectorXd& x, const Eigen::VectorXd& h,
                   const Eigen::VectorXd& c, const CellGates& gates) {
  check_shapes(weights, 4, x, h);
  TELLEGEN_ASSERT(c.size() == h.size());
  const Eigen::Index size = h.size();
  const Eigen::VectorXd u = weights.input * x + weights.recurrent * h + weights.input_bias + weights.recurrent_bias;
  LstmStep step;
  step.i = through(gates.sigmoid, u.segment(0, size));
  step.f = through(gates.sigmoid, u.segment(size, size));
  step.g = through(gates.tanh, u.segment(2 * size, size));
  step.o = through(gates.sigmoid, u.segment(3 * size, size));
  step.c = step.f.cwiseProduct(c) + step.i.cwiseProduct(step.g);
  step.h = step.o.cwiseProduct(through(gates.tanh, step.c));
  return step;
}

GruStep gru_step(const CellWeights& weights, const Eigen::VectorXd& x, const Eigen::VectorXd& h,
                 const CellGates& gates) {
  check_shapes(weights, 3, x, h);
  const Eigen::Index size = h.size();
  const Eigen::VectorXd from_input = weights.input * x + weights.input_bias;
  const Eigen::VectorXd from_state = weights.recurrent * h + weights.recurrent_bias;
  GruStep step;
  step.r = through(gates.sigmoid, from_input.segment(0, size) + from_state.segment(0, size));
  step.z = through(gates.sigmoid, from_input.segment(size, size) + from_state.segment(size, size));
  step.n =
      through(gates.tanh, from_input.segment(2 * size, size) + step.r.cwiseProduct(from_state.segment(2 * size, size)));
  step.h = step.n + step.z.cwiseProduct(h - step.n);
  return step;
}

}  // namespace tellegen::models::gating
