#include "tellegen/circuits/crossbar/charge_phase.h"

#include <fmt/format.h>

#include <Eigen/Cholesky>
#include <map>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/anchoring.h"

namespace tellegen::circuits {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

template <class T>
void check_length(const std::vector<T>& list, std::int64_t lines, bool optional, const char* what) {
  if (optional && list.empty()) return;
  if (static_cast<std::int64_t>(list.size()) != lines) {
    throw InputError(fmt::format("A phase gives '{}' {}; {} are needed.", list.size(), what, lines));
  }
}

void check(const ChargeArray& array, const ChargePhase& phase) {
  check(array);
  check_row_states(array, phase.row_state);
  check_length(phase.row_V, array.rows, false, "row voltages");
  check_length(phase.held, array.columns, true, "column states");
  check_length(phase.column_V, array.columns, true, "column voltages");
  check_length(phase.group, array.columns, true, "column groups");
  check_length(phase.injected_C, array.columns, true, "injected charges");
}

/// Capacitances between all lines, rows first, as a nodal matrix.
MatrixXd nodal_matrix(const ChargeArray& array) {
  const Index lines = array.rows + array.columns;
  MatrixXd out = MatrixXd::Zero(lines, lines);
  const auto connect = [&](Index a, Index b, double c_F) {
    out(a, a) += c_F;
    out(b, b) += c_F;
    out(a, b) -= c_F;
    out(b, a) -= c_F;
  };
  for (Index i = 0; i < array.rows; ++i) {
    out(i, i) += array.row_to_ground(i);
    for (Index j = 0; j < array.columns; ++j) connect(i, array.rows + j, array.cell(i, j));
  }
  for (Index j = 0; j < array.columns; ++j) {
    out(array.rows + j, array.rows + j) += array.column_to_ground(j);
    if (j + 1 < array.columns) connect(array.rows + j, array.rows + j + 1, array.neighbour_F);
  }
  return out;
}

VectorXd joined(const ChargeState& state) {
  VectorXd out(static_cast<Index>(state.row_V.size() + state.column_V.size()));
  out << Eigen::Map<const VectorXd>(state.row_V.data(), static_cast<Index>(state.row_V.size())),
      Eigen::Map<const VectorXd>(state.column_V.data(), static_cast<Index>(state.column_V.size()));
  return out;
}

/// Which lines are one conductor in a phase, and which of those are at a given voltage.
class Conductors {
 public:
  Conductors(const ChargeArray& array, const ChargePhase& phase)
      : rows_(array.rows), conductor_(static_cast<std::size_t>(array.rows + array.columns)) {
    for (std::int64_t i = 0; i < array.rows; ++i) add_row(i, phase);
    std::map<std::int64_t, Index> groups;
    for (std::int64_t j = 0; j < array.columns; ++j) add_column(j, phase, groups);
  }

  Index count() const { return static_cast<Index>(held_.size()); }
  bool held(Index conductor) const { return held_[static_cast<std::size_t>(conductor)]; }
  double voltage_V(Index conductor) const { return voltage_V_[static_cast<std::size_t>(conductor)]; }
  Index of_line(Index line) const { return conductor_[static_cast<std::size_t>(line)]; }

 private:
  Index open(bool held, double voltage_V) {
    held_.push_back(held);
    voltage_V_.push_back(held ? voltage_V : 0);
    return count() - 1;
  }

  void add_row(std::int64_t i, const ChargePhase& phase) {
    const auto at = static_cast<std::size_t>(i);
    const RowState state = phase.row_state.empty() ? RowState::driven : phase.row_state[at];
    conductor_[at] = open(state != RowState::floating, state == RowState::driven ? phase.row_V[at] : 0);
  }

  void add_column(std::int64_t j, const ChargePhase& phase, std::map<std::int64_t, Index>& groups) {
    const auto at = static_cast<std::size_t>(j);
    const bool held = !phase.held.empty() && phase.held[at] != 0;
    const double voltage_V = phase.column_V.empty() ? 0 : phase.column_V[at];
    Index& conductor = conductor_[static_cast<std::size_t>(rows_ + j)];
    if (phase.group.empty()) {
      conductor = open(held, voltage_V);
      return;
    }
    const auto [known, is_new] = groups.try_emplace(phase.group[at], count());
    conductor = is_new ? open(held, voltage_V) : known->second;
    if (!is_new && (held || this->held(conductor))) {
      throw InputError(
          fmt::format("Column {} is connected to others of group '{}', and one of them is held; only "
                      "floating columns can be connected.",
                      j, phase.group[at]));
    }
  }

  std::int64_t rows_;
  std::vector<Index> conductor_;  ///< by line, rows first
  std::vector<bool> held_;
  std::vector<double> voltage_V_;
};

/// "Row 3" or "Column 0": the first line of a conductor.
std::string name_of(Index conductor, const Conductors& conductors, const ChargeArray& array) {
  Index line = 0;
  while (conductors.of_line(line) != conductor) ++line;
  return line < array.rows ? fmt::format("Row {}", line) : fmt::format("Column {}", line - array.rows);
}

/// Voltages of all conductors at the end of a phase. `matrix_F` [conductors][conductors]; `to_ground_F`, `charge_C` by
/// conductor.
VectorXd solve(const MatrixXd& matrix_F, const VectorXd& to_ground_F, const VectorXd& charge_C,
               const Conductors& conductors, const ChargeArray& array) {
  std::vector<Index> floating, held;
  VectorXd voltage_V(conductors.count());
  for (Index k = 0; k < conductors.count(); ++k) {
    (conductors.held(k) ? held : floating).push_back(k);
    voltage_V[k] = conductors.voltage_V(k);
  }
  if (floating.empty()) return voltage_V;
  const MatrixXd floating_F = matrix_F(floating, floating);
  const MatrixXd coupling_F = matrix_F(floating, held);
  const VectorXd to_held_F = to_ground_F(floating) - coupling_F.rowwise().sum();
  if (const auto open = first_unanchored(floating_F, to_held_F)) {
    throw InputError(
        fmt::format("{} floats and has no capacitance to ground or to anything that is held; give it one, "
                    "or hold it.",
                    name_of(floating[static_cast<std::size_t>(*open)], conductors, array)));
  }
  const Eigen::LLT<MatrixXd> llt(floating_F);
  TELLEGEN_ASSERT(llt.info() == Eigen::Success);
  const VectorXd induced_C = charge_C(floating) - coupling_F * voltage_V(held);
  const VectorXd floating_V = llt.solve(induced_C);
  voltage_V(floating) = floating_V;
  return voltage_V;
}

}  // namespace

ChargeState at_rest(const ChargeArray& array) {
  return {std::vector<double>(static_cast<std::size_t>(array.rows)),
          std::vector<double>(static_cast<std::size_t>(array.columns))};
}

double stored_energy_J(const ChargeArray& array, const ChargeState& state) {
  double twice_J = 0;
  const auto square = [](double x) { return x * x; };
  for (std::int64_t i = 0; i < array.rows; ++i) {
    const double row_V = state.row_V[static_cast<std::size_t>(i)];
    twice_J += array.row_to_ground(i) * square(row_V);
    for (std::int64_t j = 0; j < array.columns; ++j) {
      twice_J += array.cell(i, j) * square(row_V - state.column_V[static_cast<std::size_t>(j)]);
    }
  }
  for (std::int64_t j = 0; j < array.columns; ++j) {
    const auto at = static_cast<std::size_t>(j);
    twice_J += array.column_to_ground(j) * square(state.column_V[at]);
    if (j > 0) twice_J += array.neighbour_F * square(state.column_V[at] - state.column_V[at - 1]);
  }
  return twice_J / 2;
}

ChargeStep settle(const ChargeArray& array, const ChargeState& from, const ChargePhase& phase) {
  check(array, phase);
  const Conductors conductors(array, phase);
  const MatrixXd line_F = nodal_matrix(array);
  const Index lines = line_F.rows();
  MatrixXd joins = MatrixXd::Zero(conductors.count(), lines);
  for (Index line = 0; line < lines; ++line) joins(conductors.of_line(line), line) = 1;
  VectorXd before_C = line_F * joined(from);
  for (std::size_t j = 0; j < phase.injected_C.size(); ++j) {
    before_C[array.rows + static_cast<Index>(j)] += phase.injected_C[j];
  }
  const MatrixXd matrix_F = joins * line_F * joins.transpose();
  VectorXd line_to_ground_F(lines);
  for (Index i = 0; i < array.rows; ++i) line_to_ground_F[i] = array.row_to_ground(i);
  for (Index j = 0; j < array.columns; ++j) line_to_ground_F[array.rows + j] = array.column_to_ground(j);
  const VectorXd voltage_V =
      joins.transpose() * solve(matrix_F, joins * line_to_ground_F, joins * before_C, conductors, array);

  ChargeStep out;
  out.state.row_V.assign(voltage_V.data(), voltage_V.data() + array.rows);
  out.state.column_V.assign(voltage_V.data() + array.rows, voltage_V.data() + lines);
  const VectorXd delivered_C = line_F * voltage_V - before_C;
  for (Index line = 0; line < lines; ++line) {
    const bool held = conductors.held(conductors.of_line(line));
    (line < array.rows ? out.row_C : out.column_C).push_back(held ? delivered_C[line] : 0);
    if (held) out.source_J += delivered_C[line] * voltage_V[line];
  }
  out.stored_J = stored_energy_J(array, out.state) - stored_energy_J(array, from);
  return out;
}

std::vector<ChargeStep> settle_all(const ChargeArray& array, std::span<const ChargePhase> phases) {
  std::vector<ChargeStep> out;
  for (const ChargePhase& phase : phases) {
    out.push_back(settle(array, out.empty() ? at_rest(array) : out.back().state, phase));
  }
  return out;
}

}  // namespace tellegen::circuits
