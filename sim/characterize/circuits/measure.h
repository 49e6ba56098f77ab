#pragma once
// Inside sim/characterize/circuits: what the protocols of all kinds of circuit share.

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/circuits/front_end/front_end.h"
#include "tellegen/sim/characterize/circuits/catalogue.h"
#include "tellegen/sim/characterize/protocols.h"

namespace tellegen::characterize {

/// Temperatures that a chip has to live with.
inline constexpr double temperatures_C[] = {-40, 27, 85, 125};
inline Temperature at_celsius(double t_C) { return Temperature::si(t_C + 273.15); }

/// `settings` with one more, which wins.
Overrides with(Overrides settings, const std::string& name, const std::string& value);

/// One circuit for each bias current, where the design works there; the others are left out.
template <class Made>
struct Biased {
  double bias_A;
  Made made;
};
template <class Make>
auto over_bias(double first_A, double last_A, std::size_t count, const Make& make) {
  std::vector<Biased<decltype(make(std::string()))>> result;
  for (const double bias_A : evenly_in_logarithm(first_A, last_A, count)) {
    try {
      result.push_back({bias_A, make(write_quantity(bias_A, Current::dimension))});
    } catch (const RefusedError&) {
      // No headroom or no speed at this current: the curve ends there.
    }
  }
  if (result.size() < 2) {
    throw RefusedError({"The circuit works at fewer than two of the bias currents looked at.",
                        "Choose a higher supply or wider transistors."});
  }
  return result;
}

/// Mean, standard deviation and 2.5 % and 97.5 % quantiles of samples.
struct Scatter {
  double mean = 0, deviation = 0, low = 0, high = 0;
};
Scatter scatter_of(std::vector<float> samples);

/// "1.2 fJ (0.8 to 2.1)".
std::string text_of(const circuits::Band& band, const Dimension& dimension);
/// Branches of the supply and parts of the area as findings, and one of the whole.
void describe_cost(const circuits::FrontEndCost& cost, Characterization& result);
/// Energy of one evaluation and bandwidth over bias, out of the columns bias, bandwidth, energy_low, energy and
/// energy_high of `table`.
plot::Figure energy_figure(const std::string& circuit, const DataTable& table);
/// Supply energy against its uses.
void describe_book(const circuits::EnergyBook& book, Characterization& result);

/// Gives every axis without a range of its own values a range, where all of them are the same.
void open_flat_axes(plot::Figure& figure);

/// One value of several columns.
void add_row(DataTable& table, std::initializer_list<double> values);

void front_end_protocol(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request,
                        Characterization& result);
void softmax_protocol(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request,
                      Characterization& result);
void crossing_protocol(const Circuit& circuit, const std::string& protocol, const CircuitRequest& request,
                       Characterization& result);

}  // namespace tellegen::characterize
