#include "tellegen/circuits/crossbar/rc_network.h"

#include <fmt/format.h>

#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/branch_list.h"

namespace tellegen::circuits {
namespace {

void check_capacitance(double value_F, const char* line) {
  if (!(value_F >= 0) || std::isinf(value_F)) {
    throw InputError(fmt::format(
        "The capacitance of a {} node is '{} F'; a finite capacitance of 0 F or more is needed.", line, value_F));
  }
}

class Builder {
 public:
  Builder(const Wires& wires, std::span<const double> cell_S)
      : wires_(wires), segments_(segments_of(wires)), grid_(segments_), branch_S_(branch_conductances(wires, cell_S)) {
    out_.inputs = wires.rows;
    out_.outputs = wires.columns;
    const std::vector<bool> isolated = isolated_nodes(grid_, segments_, branch_S_, wires);
    unknown_.assign(static_cast<std::size_t>(grid_.positions()), -1);
    for (std::int64_t position = 0; position < grid_.positions(); ++position) {
      const auto at = static_cast<std::size_t>(position);
      if (grid_.node(position) == position && !grid_.is_terminal(position) && !isolated[at]) {
        unknown_[at] = out_.unknowns++;
      }
    }
  }

  RcNetwork build(const NodeCapacitance& capacitance) {
    out_.capacitance_F.assign(static_cast<std::size_t>(out_.unknowns), 0);
    for (std::int64_t i = 0; i < grid_.rows(); ++i) {
      for (std::int64_t j = 0; j < grid_.columns(); ++j) {
        hang(grid_.row(i, j), capacitance.row_F);
        hang(grid_.column(i, j), capacitance.column_F);
      }
    }
    for (const Branch& branch : wire_branches(grid_, segments_)) connect(branch);
    for (const Branch& branch : cell_branches(grid_, branch_S_)) connect(branch);
    return std::move(out_);
  }

 private:
  std::int64_t unknown(std::int64_t node) const { return unknown_[static_cast<std::size_t>(node)]; }

  void hang(std::int64_t node, double capacitance_F) {
    const std::int64_t at = unknown(node);
    if (at >= 0) out_.capacitance_F[static_cast<std::size_t>(at)] += capacitance_F;
  }

  /// Grounded rows are at 0 V whatever their input is.
  bool is_input(std::int64_t terminal) const {
    return grid_.is_row(terminal) && wires_.state(grid_.line(terminal)) == RowState::driven;
  }

  /// One end of a branch: what it does to the equations of the other.
  void connect_end(std::int64_t node, std::int64_t other, double g_S) {
    const std::int64_t at = unknown(node);
    if (at < 0) return;
    out_.conductance.push_back({at, at, g_S});
    if (unknown(other) >= 0) {
      out_.conductance.push_back({at, unknown(other), -g_S});
    } else if (grid_.is_row(other)) {
      if (is_input(other)) out_.from_driver.push_back({at, grid_.line(other), g_S});
    } else {
      out_.to_sense.push_back({grid_.line(other), at, g_S});
    }
  }

  void connect(const Branch& branch) {
    connect_end(branch.a, branch.b, branch.g_S);
    connect_end(branch.b, branch.a, branch.g_S);
  }

  const Wires& wires_;
  Segments segments_;
  NodeGrid grid_;
  std::vector<double> branch_S_;
  std::vector<std::int64_t> unknown_;  ///< by position; -1: a terminal, another name of a node, or left out
  RcNetwork out_;
};

}  // namespace

void check(const NodeCapacitance& capacitance) {
  check_capacitance(capacitance.row_F, "row");
  check_capacitance(capacitance.column_F, "column");
}

RcNetwork rc_network(const Wires& wires, std::span<const double> cell_S, const NodeCapacitance& capacitance) {
  check(capacitance);
  return Builder(wires, cell_S).build(capacitance);
}

}  // namespace tellegen::circuits
