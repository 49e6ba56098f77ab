#include "tellegen/sim/crossbar/array_solve.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tellegen/base/error.h"
#include "tellegen/base/units.h"
#include "tellegen/circuits/crossbar/connectivity.h"
#include "tellegen/circuits/crossbar/line_solver.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"
#include "tellegen/circuits/crossbar/nonlinear.h"
#include "tellegen/circuits/crossbar/solver_choice.h"
#include "tellegen/circuits/crossbar/transfer.h"

namespace tellegen::array {
namespace {

using circuits::NodalSolution;

ArrayResult result_of(NodalSolution nodes, bool keep_nodes) {
  ArrayResult out;
  out.output_A = nodes.output_A;
  out.source_W = nodes.source_W;
  out.dissipated_W = nodes.dissipated_W;
  if (keep_nodes) out.nodes = std::move(nodes);
  return out;
}

class Job {
 public:
  Job(const ArrayFile& file, const SolveRequest& request) : file_(file), request_(request) {
    out_.rows = file.wires.rows;
    out_.columns = file.wires.columns;
  }

  ArraySolution run() {
    circuits::check(file_.wires);
    if (file_.input_V.empty() && !request_.transfer) {
      throw InputError(
          "There are no input voltages. Give them with --voltages, or ask for the transfer matrix only with "
          "--transfer.");
    }
    warn_of_cut_nodes();
    if (std::holds_alternative<devices::OhmicLaw>(file_.law) && !file_.transistor) {
      solve_linear();
    } else {
      solve_nonlinear();
    }
    compare();
    return std::move(out_);
  }

 private:
  void warn_of_cut_nodes() {
    const circuits::Segments segments = circuits::segments_of(file_.wires);
    const std::vector<double> branch_S = circuits::branch_conductances(file_.wires, file_.cell_S);
    for (const std::string& text : circuits::warnings(circuits::connectivity(segments, branch_S, file_.wires))) {
      out_.log.push_back(text);
    }
  }

  void solve_nonlinear() {
    if (request_.transfer) {
      throw InputError("The cells are not linear: there is no transfer matrix. Leave out --transfer.");
    }
    out_.log.push_back(
        fmt::format("Solver: newton on the equations of the line solver (the cells are not linear), {} "
                    "input vector{}.",
                    file_.input_V.size(), file_.input_V.size() == 1 ? "" : "s"));
    circuits::ArrayLaw law = circuits::array_law(file_.law, file_.cell_S);
    if (file_.transistor) {
      const devices::Mosfet transistor(file_.transistor->mosfet, Temperature::si(file_.transistor->temperature_K));
      law = circuits::in_series(std::move(law), circuits::access_transistor(transistor, file_.transistor->gate_V));
    }
    for (const std::vector<double>& input_V : file_.input_V) {
      circuits::NonlinearOutcome outcome = circuits::solve_nonlinear(file_.wires, law, input_V, request_.tolerance);
      if (const auto* refusal = std::get_if<Refusal>(&outcome)) throw RefusedError(*refusal);
      auto& solution = std::get<circuits::NonlinearSolution>(outcome);
      out_.vectors.push_back(result_of(std::move(solution.nodes), request_.nodes));
      out_.vectors.back().bound_A = solution.remaining_A;
    }
  }

  Solver chosen() {
    switch (request_.solver) {
      case Solver::line:
        out_.log.push_back("Solver: line, as asked.");
        return Solver::line;
      case Solver::reference:
        out_.log.push_back("Solver: reference, as asked.");
        return Solver::reference;
      case Solver::transfer:
        if (request_.nodes) {
          throw InputError("The transfer solver knows no node voltages. Use --solver line, or leave out --nodes.");
        }
        out_.log.push_back("Solver: transfer, as asked.");
        return Solver::transfer;
      case Solver::automatic:
        break;
    }
    if (request_.nodes) {
      out_.log.push_back("Solver: line (node voltages are asked for).");
      return Solver::line;
    }
    if (request_.transfer) {
      out_.log.push_back("Solver: transfer (T is asked for).");
      return Solver::transfer;
    }
    const circuits::SolverChoice choice =
        circuits::choose_solver(file_.wires, static_cast<std::int64_t>(file_.input_V.size()));
    out_.log.push_back(fmt::format("Solver: {} ({}).", circuits::to_string(choice.solver), choice.reason));
    return choice.solver == circuits::LinearSolver::line ? Solver::line : Solver::transfer;
  }

  void solve_linear() {
    const Solver solver = chosen();
    if (request_.transfer || solver == Solver::transfer) {
      const circuits::PortNetwork ports = circuits::collapse(file_.wires, file_.cell_S);
      out_.transfer_S = ports.transfer();
      out_.input_admittance_S = ports.input_admittance();
    }
    if (solver == Solver::transfer) {
      for (const std::vector<double>& input_V : file_.input_V) out_.vectors.push_back(by_transfer(input_V));
    } else if (solver == Solver::reference) {
      by_reference();
    } else {
      by_lines();
    }
    if (!request_.transfer) {
      out_.transfer_S.clear();
      out_.input_admittance_S.clear();
    }
  }

  void by_reference() {
    const circuits::NodalReference reference(file_.wires, file_.cell_S);
    for (const std::vector<double>& input_V : file_.input_V) {
      out_.vectors.push_back(result_of(reference.solve(input_V), request_.nodes));
    }
  }

  void by_lines() {
    circuits::LineSolver solver(file_.wires, file_.cell_S);
    std::optional<circuits::NodalReference> reference;
    for (std::size_t k = 0; k < file_.input_V.size(); ++k) {
      circuits::LineSolution solution = solver.solve(file_.input_V[k], request_.tolerance);
      if (solution.accuracy.reached) {
        out_.vectors.push_back(result_of(std::move(solution.nodes), request_.nodes));
        out_.vectors.back().bound_A = solution.accuracy.bound_A;
        continue;
      }
      out_.log.push_back(circuits::fallback_text(static_cast<std::int64_t>(k), solution.accuracy));
      if (!reference) reference.emplace(file_.wires, file_.cell_S);
      out_.vectors.push_back(result_of(reference->solve(file_.input_V[k]), request_.nodes));
    }
  }

  ArrayResult by_transfer(const std::vector<double>& input_V) const {
    const std::vector<double> applied_V = circuits::applied_voltages(file_.wires, input_V);
    const std::size_t rows = applied_V.size();
    ArrayResult out;
    for (std::size_t j = 0; j < static_cast<std::size_t>(out_.columns); ++j) {
      double sum_A = 0;
      for (std::size_t i = 0; i < rows; ++i) sum_A += out_.transfer_S[j * rows + i] * applied_V[i];
      out.output_A.push_back(sum_A);
    }
    for (std::size_t i = 0; i < rows; ++i) {
      double source_A = 0;
      for (std::size_t k = 0; k < rows; ++k) source_A += out_.input_admittance_S[i * rows + k] * applied_V[k];
      out.source_W += applied_V[i] * source_A;
    }
    return out;
  }

  void compare() {
    if (file_.expected_A.empty()) return;
    if (file_.expected_A.size() != out_.vectors.size()) {
      throw InputError(
          fmt::format("The file has outputs for '{}' input vectors to compare with; there are {} input vectors.",
                      file_.expected_A.size(), out_.vectors.size()));
    }
    double worst = 0;
    for (std::size_t n = 0; n < out_.vectors.size(); ++n) {
      double difference_A = 0;
      double largest_A = 0;
      for (std::size_t j = 0; j < file_.expected_A[n].size(); ++j) {
        difference_A = std::max(difference_A, std::fabs(file_.expected_A[n][j] - out_.vectors[n].output_A[j]));
        largest_A = std::max(largest_A, std::fabs(file_.expected_A[n][j]));
      }
      if (difference_A > 0) worst = std::max(worst, difference_A / largest_A);
    }
    out_.expected_difference = worst;
  }

  const ArrayFile& file_;
  const SolveRequest& request_;
  ArraySolution out_;
};

}  // namespace

ArraySolution solve_array(const ArrayFile& file, const SolveRequest& request) { return Job(file, request).run(); }

}  // namespace tellegen::array
