#pragma once
// LSTM and GRU cells whose gates are threshold gates of the constant family: sigmoid is one pair, tanh(u) = 2 sigmoid(2u) - 1
// another. Gate order and biases are those of PyTorch.

#include <Eigen/Core>

#include "tellegen/models/gating/threshold_gate.h"

namespace tellegen::models::gating {

/// The two functions of a cell; exact by default.
struct CellGates {
  ThresholdGate sigmoid, tanh;
  CellGates();
  CellGates(ThresholdGate for_sigmoid, ThresholdGate for_tanh);
};
/// Whether both gates are of the constant family, as a cell's hardware has them: a gate that carries its input instead
/// leaves 0 to 1 or -1 to 1, and the state can grow without bounds.
bool keeps_constant_family(const CellGates& gates);

/// G blocks of H rows, one per gate: G = 4 (i, f, g, o) for LSTM, 3 (r, z, n) for GRU.
struct CellWeights {
  Eigen::MatrixXd input;           ///< G H x inputs
  Eigen::MatrixXd recurrent;       ///< G H x H
  Eigen::VectorXd input_bias;      ///< G H
  Eigen::VectorXd recurrent_bias;  ///< G H
};

struct LstmStep {
  Eigen::VectorXd i, f, g, o;  ///< gates
  Eigen::VectorXd c, h;        ///< the new state
};
/// c' = f c + i g, h' = o tanh(c').
LstmStep lstm_step(const CellWeights& weights, const Eigen::VectorXd& x, const Eigen::VectorXd& h,
                   const Eigen::VectorXd& c, const CellGates& gates = {});

struct GruStep {
  Eigen::VectorXd r, z, n;  ///< gates
  Eigen::VectorXd h;        ///< the new state
};
/// n = tanh(W_in x + b_in + r (W_hn h + b_hn)), h' = (1 - z) n + z h.
GruStep gru_step(const CellWeights& weights, const Eigen::VectorXd& x, const Eigen::VectorXd& h,
                 const CellGates& gates = {});

}  // namespace tellegen::models::gating
