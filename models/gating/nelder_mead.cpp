#include "tellegen/models/gating/nelder_mead.h"

#include <nlopt.h>

#include <cmath>
#include <exception>
#include <memory>

#include "tellegen/base/error.h"

namespace tellegen::models::gating {

namespace {

constexpr int kMaximumRestarts = 12;
constexpr int kEvaluationsPerRestart = 4000;

struct Call {
  const std::function<double(std::span<const double>)>& function;
  nlopt_opt optimiser;
  int evaluations = 0;
  std::exception_ptr failure;  ///< exceptions must not pass through C
};

double evaluate_call(unsigned size, const double* x, double* /*gradient*/, void* data) {
  Call& call = *static_cast<Call*>(data);
  ++call.evaluations;
  try {
    const double value = call.function({x, size});
    return std::isfinite(value) ? value : HUGE_VAL;
  } catch (...) {
    call.failure = std::current_exception();
    nlopt_force_stop(call.optimiser);
    return HUGE_VAL;
  }
}

void run_once(Call& call, Minimum& minimum) {
  double value = 0;
  const nlopt_result result = nlopt_optimize(call.optimiser, minimum.at.data(), &value);
  if (call.failure) std::rethrow_exception(call.failure);
  // Rounding may end a search that is finished anyway.
  TELLEGEN_ASSERT(result > 0 || result == NLOPT_ROUNDOFF_LIMITED);
  minimum.value = value;
}

}  // namespace

Minimum nelder_mead(const std::function<double(std::span<const double>)>& function, const SearchSpace& space) {
  TELLEGEN_ASSERT(!space.start.empty() && space.step.size() == space.start.size());
  const auto size = static_cast<unsigned>(space.start.size());
  const std::unique_ptr<nlopt_opt_s, void (*)(nlopt_opt)> optimiser(nlopt_create(NLOPT_LN_NELDERMEAD, size),
                                                                    nlopt_destroy);
  TELLEGEN_ASSERT(optimiser != nullptr);
  Call call{function, optimiser.get(), 0, nullptr};
  nlopt_set_min_objective(optimiser.get(), evaluate_call, &call);
  nlopt_set_xtol_rel(optimiser.get(), 1e-10);
  nlopt_set_ftol_rel(optimiser.get(), 1e-15);
  nlopt_set_maxeval(optimiser.get(), kEvaluationsPerRestart);
  nlopt_set_initial_step(optimiser.get(), space.step.data());
  if (!space.lower.empty()) nlopt_set_lower_bounds(optimiser.get(), space.lower.data());
  if (!space.upper.empty()) nlopt_set_upper_bounds(optimiser.get(), space.upper.data());
  Minimum minimum{space.start, 0, 0};
  run_once(call, minimum);
  for (int restart = 0; restart < kMaximumRestarts; ++restart) {
    const double before = minimum.value;
    run_once(call, minimum);
    if (before - minimum.value <= 1e-12 * before) break;
  }
  minimum.evaluations = call.evaluations;
  return minimum;
}

}  // namespace tellegen::models::gating
