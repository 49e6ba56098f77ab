#include "tellegen/sim/engine/law_reads.h"

#include <algorithm>
#include <cmath>
#include <variant>

#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/nonlinear.h"

namespace tellegen::sim {
namespace {

/// Of the outputs, relative to the largest: far below a step of any converter.
constexpr double kTolerance = 1e-10;

/// Ends of the pulses in ascending order, each once.
std::vector<double> ends_of(std::span<const double> drive) {
  std::vector<double> ends;
  for (const double u : drive) {
    if (u != 0) ends.push_back(std::fabs(u));
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  return ends;
}

}  // namespace

LawReads::LawReads(const devices::CellLaw& law, const circuits::Wires& wires, const mapping::Layout& layout,
                   std::span<const double> cell_S, std::span<const double> deviation_S)
    : law_(law), wires_(wires), layout_(layout), cell_S_(cell_S), deviation_S_(deviation_S) {
  if (deviation_S.empty()) cells_ = circuits::array_law(law, {cell_S.begin(), cell_S.end()});
}

void LawReads::draw(const Stream& noise, std::uint64_t number) {
  std::vector<float> normals(cell_S_.size());
  noise.normals(number * cell_S_.size(), normals);
  std::vector<double> drawn_S(cell_S_.size());
  for (std::size_t k = 0; k < drawn_S.size(); ++k) {
    drawn_S[k] = std::max(0.0, cell_S_[k] + deviation_S_[k] * static_cast<double>(normals[k]));
  }
  cells_ = circuits::array_law(law_, std::move(drawn_S));
}

LawReads::Point LawReads::solve(std::span<const double> input_V) const {
  const auto columns = static_cast<std::size_t>(layout_.physical_columns);
  if (wires_.rows > 0) {
    circuits::NonlinearOutcome outcome = circuits::solve_nonlinear(wires_, cells_, input_V, kTolerance);
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) throw RefusedError(*refusal);
    circuits::NodalSolution& nodes = std::get<circuits::NonlinearSolution>(outcome).nodes;
    return {std::move(nodes.output_A), nodes.source_W};
  }
  Point point{std::vector<double>(columns), 0};
  std::vector<double> current_A(columns), slope_S(columns);
  for (std::size_t i = 0; i < input_V.size(); ++i) {
    const std::vector<double> drop_V(columns, input_V[i]);
    cells_(static_cast<std::int64_t>(i * columns), drop_V, current_A, slope_S);
    for (std::size_t j = 0; j < columns; ++j) {
      point.output_A[j] += current_A[j];
      point.source_W += input_V[i] * current_A[j];
    }
  }
  return point;
}

double LawReads::read(const DriveForm& form, std::span<const double> drive, const Stream& noise, std::uint64_t number,
                      std::span<double> current_A) {
  if (!deviation_S_.empty()) draw(noise, number);
  std::fill(current_A.begin(), current_A.end(), 0.0);
  double sum_W = 0, begin = 0;
  std::vector<double> input_V(drive.size());
  for (const double end : ends_of(drive)) {
    for (std::size_t i = 0; i < drive.size(); ++i) {
      const bool is_on = std::fabs(drive[i]) >= end;
      input_V[i] = form.by_width ? (is_on ? std::copysign(form.v_read_V, drive[i]) : 0) : drive[i] * form.v_read_V;
    }
    const double share = form.by_width ? end - begin : 1;
    const Point point = solve(input_V);
    for (std::size_t j = 0; j < layout_.lines.size(); ++j) {
      const mapping::Line& line = layout_.lines[j];
      double line_A = point.output_A[static_cast<std::size_t>(line.plus)];
      if (line.minus >= 0) line_A -= point.output_A[static_cast<std::size_t>(line.minus)];
      current_A[j] += share * line_A;
    }
    sum_W += share * point.source_W;
    begin = end;
    if (!form.by_width) break;  // all rows at once
  }
  return sum_W;
}

}  // namespace tellegen::sim
