#include "tellegen/circuits/crossbar/array_law.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <type_traits>
#include <utility>

#include "tellegen/base/vector_units.h"
#include "tellegen/circuits/crossbar/nonlinear_kernels.h"

namespace tellegen::circuits {
namespace {

template <class Law>
void evaluate(const Law& law, const double* g_S, std::span<const double> drop_V, std::span<double> current_A,
              std::span<double> slope_S) {
  if constexpr (std::is_same_v<Law, devices::SinhLaw>) {
    nonlinear_kernels::sinh_cells(best_vector_unit(), static_cast<std::int64_t>(drop_V.size()), law.v0_V, g_S,
                                  drop_V.data(), current_A.data(), slope_S.data());
  } else {
    for (std::size_t k = 0; k < drop_V.size(); ++k) {
      // A law may have a logarithm of G in it; an open cell has none.
      current_A[k] = g_S[k] > 0 ? law.current_A(g_S[k], drop_V[k]) : 0;
      slope_S[k] = g_S[k] > 0 ? law.slope_S(g_S[k], drop_V[k]) : 0;
    }
  }
}

/// Two elements in series, for a run of cells.
class Series {
 public:
  Series(const ArrayLaw& cell, const ArrayLaw& access, std::int64_t first_cell, std::span<const double> drop_V)
      : cell_(cell),
        access_(access),
        first_(first_cell),
        drop_V_(drop_V),
        inner_V_(drop_V.size()),
        rest_V_(drop_V.size()),
        cell_A_(drop_V.size()),
        cell_S_(drop_V.size()),
        access_A_(drop_V.size()),
        access_S_(drop_V.size()),
        low_V_(drop_V.size()),
        high_V_(drop_V.size()) {}

  /// Newton, kept inside the interval that is known to hold the answer: the voltage of the cell lies between 0 and the
  /// whole drop, and what the cell takes less what the access element gives rises with it.
  void solve(std::span<double> current_A, std::span<double> slope_S) {
    for (std::size_t k = 0; k < drop_V_.size(); ++k) {
      low_V_[k] = std::min(drop_V_[k], 0.0);
      high_V_[k] = std::max(drop_V_[k], 0.0);
      inner_V_[k] = drop_V_[k] / 2;
    }
    constexpr int most_steps = 200;
    bool moving = true;
    for (int step = 0; step < most_steps && moving; ++step) {
      operating_points();
      moving = false;
      for (std::size_t k = 0; k < drop_V_.size(); ++k) moving |= advance(k);
    }
    operating_points();
    for (std::size_t k = 0; k < drop_V_.size(); ++k) {
      // The element that lets less through knows the current best.
      const double sum_S = cell_S_[k] + access_S_[k];
      current_A[k] = cell_S_[k] <= access_S_[k] ? cell_A_[k] : access_A_[k];
      slope_S[k] = sum_S > 0 ? cell_S_[k] * (access_S_[k] / sum_S) : 0;
    }
  }

 private:
  void operating_points() {
    for (std::size_t k = 0; k < drop_V_.size(); ++k) rest_V_[k] = drop_V_[k] - inner_V_[k];
    cell_(first_, inner_V_, cell_A_, cell_S_);
    access_(first_, rest_V_, access_A_, access_S_);
  }

  /// One step of cell k; false when nothing changes any more.
  bool advance(std::size_t k) {
    const double excess_A = cell_A_[k] - access_A_[k];
    if (excess_A == 0 || !(low_V_[k] < high_V_[k])) return false;
    (excess_A > 0 ? high_V_[k] : low_V_[k]) = inner_V_[k];
    double next_V = inner_V_[k] - excess_A / (cell_S_[k] + access_S_[k]);
    if (!(next_V > low_V_[k] && next_V < high_V_[k])) next_V = low_V_[k] + (high_V_[k] - low_V_[k]) / 2;
    const double last_V = std::exchange(inner_V_[k], next_V);
    return std::fabs(next_V - last_V) > 2 * std::numeric_limits<double>::epsilon() * std::fabs(drop_V_[k]);
  }

  const ArrayLaw& cell_;
  const ArrayLaw& access_;
  std::int64_t first_;
  std::span<const double> drop_V_;
  std::vector<double> inner_V_;
  std::vector<double> rest_V_, cell_A_, cell_S_, access_A_, access_S_, low_V_, high_V_;
};

}  // namespace

ArrayLaw array_law(const devices::CellLaw& law, std::vector<double> cell_S) {
  const auto shared_S = std::make_shared<const std::vector<double>>(std::move(cell_S));
  return [law, shared_S](std::int64_t first_cell, std::span<const double> drop_V, std::span<double> current_A,
                         std::span<double> slope_S) {
    std::visit([&](const auto& known) { evaluate(known, shared_S->data() + first_cell, drop_V, current_A, slope_S); },
               law);
  };
}

ArrayLaw same_everywhere(std::function<OperatingPoint(double drop_V)> element) {
  return [element = std::move(element)](std::int64_t, std::span<const double> drop_V, std::span<double> current_A,
                                        std::span<double> slope_S) {
    for (std::size_t k = 0; k < drop_V.size(); ++k) {
      const OperatingPoint point = element(drop_V[k]);
      current_A[k] = point.current_A;
      slope_S[k] = point.slope_S;
    }
  };
}

ArrayLaw access_transistor(const devices::Mosfet& transistor, double gate_V) {
  return same_everywhere([transistor, gate_V](double drop_V) {
    const devices::OperatingPoint point = transistor.operating_point(gate_V, 0, drop_V);
    return OperatingPoint{point.i_A, point.gmd_S};
  });
}

ArrayLaw in_series(ArrayLaw cell, ArrayLaw access) {
  return [cell = std::move(cell), access = std::move(access)](std::int64_t first_cell, std::span<const double> drop_V,
                                                              std::span<double> current_A, std::span<double> slope_S) {
    Series(cell, access, first_cell, drop_V).solve(current_A, slope_S);
  };
}

}  // namespace tellegen::circuits
