// LSTM and GRU cells of threshold gates against stored ones.

#include "tellegen/models/gating/recurrent_cell.h"

#include <gtest/gtest.h>

#include "matrices.h"
#include "tellegen/models/gating/forms.h"

namespace tellegen::models::gating {
namespace {

using test::expect_near;
using test::matrix;
using test::vector;

CellWeights weights_of(const nlohmann::json& row) {
  return {matrix(row["W_ih"]), matrix(row["W_hh"]), vector(row["b_ih"]), vector(row["b_hh"])};
}

TEST(RecurrentCells, Lstm) {
  const auto& stored = test::vectors("rnn_cells.json");
  const auto& row = stored["lstm"];
  const LstmStep step = lstm_step(weights_of(row), vector(stored["x"]), vector(stored["h0"]), vector(stored["c0"]));
  expect_near(step.i, vector(row["i"]), 1e-13, "i");
  expect_near(step.f, vector(row["f"]), 1e-13, "f");
  expect_near(step.g, vector(row["g"]), 1e-13, "g");
  expect_near(step.o, vector(row["o"]), 1e-13, "o");
  expect_near(step.c, vector(row["c1"]), 1e-13, "c");
  expect_near(step.h, vector(row["h1"]), 1e-13, "h");
}

TEST(RecurrentCells, Gru) {
  const auto& stored = test::vectors("rnn_cells.json");
  const auto& row = stored["gru"];
  const GruStep step = gru_step(weights_of(row), vector(stored["x"]), vector(stored["h0"]));
  expect_near(step.r, vector(row["r"]), 1e-13, "r");
  expect_near(step.z, vector(row["z"]), 1e-13, "z");
  expect_near(step.n, vector(row["n"]), 1e-13, "n");
  expect_near(step.h, vector(row["h1"]), 1e-13, "h");
}

TEST(RecurrentCells, OtherGatesAreUsedAndTheirFamilyIsKnown) {
  const auto& stored = test::vectors("rnn_cells.json");
  const CellWeights weights = weights_of(stored["lstm"]);
  const Eigen::VectorXd x = vector(stored["x"]), h = vector(stored["h0"]), c = vector(stored["c0"]);
  EXPECT_TRUE(keeps_constant_family({}));
  const CellGates hard{form_named("hard_sigmoid_ramp").gate, form_named("hard_tanh_ramp").gate};
  EXPECT_TRUE(keeps_constant_family(hard));
  const LstmStep step = lstm_step(weights, x, h, c, hard);
  const Eigen::VectorXd u = weights.input * x + weights.recurrent * h + weights.input_bias + weights.recurrent_bias;
  for (Eigen::Index k = 0; k < h.size(); ++k) {
    EXPECT_NEAR(step.i[k], value({ActivationKind::hard_sigmoid}, u[k]), 1e-15);
    EXPECT_NEAR(step.g[k], value({ActivationKind::hard_tanh, -1, 1}, u[4 + k]), 1e-15);
  }
  EXPECT_FALSE(keeps_constant_family({form_named("sigmoid").gate, form_named("silu").gate}));
  EXPECT_FALSE(keeps_constant_family({form_named("hard_sigmoid").gate, form_named("tanh").gate}));
}

}  // namespace
}  // namespace tellegen::models::gating
