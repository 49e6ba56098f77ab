#include "tellegen/circuits/front_end/gate_network.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "tellegen/base/error.h"

namespace tellegen::circuits {
namespace {

/// One term of the gate: (constant + slope x) times the product of sigmoids first .. last.
struct Term {
  double constant, slope;
  std::size_t first, last;
};

struct Half {
  TailLaw tail;
  double weight, pedestal;
};

Half fixed_tail(double constant, bool differential) {
  const double sign = constant < 0 ? -1 : 1;
  const double size = std::abs(constant);
  if (differential) return {{size / 2, 0, 0, 0}, 2 * sign, 0.5};
  return {{size, 0, 0, 0}, sign, 0};
}

/// The one or two pairs that carry a term's current.
std::vector<Half> halves(const Term& term, SignedTail way, double full_scale, double quiescent, bool differential) {
  if (term.slope == 0) return {fixed_tail(term.constant, differential)};
  const double most = std::abs(term.constant) + std::abs(term.slope) * full_scale;
  switch (way) {
    case SignedTail::two_pair:
      return {{{term.constant + most, term.slope, 0, 0}, 1, 0}, {{most, 0, 0, 0}, -1, 0}};
    case SignedTail::class_ab:
      return {{{term.constant, term.slope, 1, quiescent * most}, 1, 0},
              {{term.constant, term.slope, -1, quiescent * most}, -1, 0}};
    case SignedTail::gilbert:
      break;
  }
  const double bias = most / 4;
  return {{{bias + term.constant / 4, term.slope / 4, 0, 0}, 2, 0.5},
          {{bias - term.constant / 4, -term.slope / 4, 0, 0}, -2, 0.5}};
}

/// Adds the stacks of a term; a stack of one pair may take its output differentially, a higher one cannot.
void add_term(GateNetwork& network, const Term& term, const std::vector<Half>& parts) {
  for (const Half& part : parts) {
    for (std::size_t m = term.first; m <= term.last; ++m) {
      NetworkPair pair;
      pair.threshold = m;
      pair.tail = part.tail;
      pair.weight = m == term.last ? part.weight : 0;
      pair.pedestal = term.first == term.last ? part.pedestal : 0;
      pair.level = static_cast<int>(m - term.first);
      pair.stacked_on = m == term.first ? -1 : static_cast<int>(network.pairs.size()) - 1;
      network.pairs.push_back(pair);
    }
  }
}

std::vector<Term> terms_of(const GateFunction& gate) {
  std::vector<Term> terms;
  for (std::size_t m = 0; m < gate.thresholds.size(); ++m) {
    const double slope = gate.slopes[m + 1] - gate.slopes[m], constant = gate.constants[m + 1] - gate.constants[m];
    if (slope == 0 && constant == 0) continue;
    terms.push_back({constant, slope, gate.form == GateForm::nested ? 0 : m, m});
  }
  return terms;
}

/// Differential outputs leave base + half of all steps to be supplied: taken where that is less than the base.
bool is_differential(const GateFunction& gate, const std::vector<Term>& terms) {
  if (!gate.is_constant_family() || gate.form == GateForm::nested) return false;
  double middle = gate.constants.front();
  for (const Term& term : terms) middle += term.constant / 2;
  return std::abs(middle) < std::abs(gate.constants.front());
}

}  // namespace

std::span<const std::pair<SignedTail, const char*>> enum_names(SignedTail) {
  static constexpr std::array names{std::pair{SignedTail::two_pair, "two_pair"},
                                    std::pair{SignedTail::class_ab, "class_ab"},
                                    std::pair{SignedTail::gilbert, "gilbert"}};
  return names;
}

double TailLaw::current(double x) const {
  const double s = constant + slope * x;
  if (split == 0) return std::max(s, 0.0);
  // The smaller half by its product with the larger one, free of cancellation.
  const double larger = (std::abs(s) + std::hypot(s, 2 * quiescent)) / 2;
  return (s > 0) == (split > 0) ? larger : quiescent * quiescent / larger;
}

GateNetwork make_network(const GateFunction& gate, SignedTail signed_tail, double full_scale, double quiescent) {
  check(gate);
  if (gate.shape != GateFunction::Shape::threshold_gate || gate.form == GateForm::normalised) {
    throw InputError(
        "A threshold gate of differential pairs can be of difference or nested form; normalised gates need source-"
        "coupled transistors and tanh-sech gates a circuit of their own.");
  }
  GateNetwork network;
  network.base_slope = gate.slopes.front();
  network.base_constant = gate.constants.front();
  const std::vector<Term> terms = terms_of(gate);
  const bool differential = is_differential(gate, terms);
  for (const Term& term : terms) {
    // Crossed outputs of a stack would cross at every level; the two-pair way serves there.
    const bool stack = term.first != term.last;
    const SignedTail way = stack && signed_tail == SignedTail::gilbert ? SignedTail::two_pair : signed_tail;
    add_term(network, term, halves(term, way, full_scale, quiescent, differential));
  }
  for (const NetworkPair& pair : network.pairs) {
    // What the pedestals of the pairs bring back belongs to the base: there it is one current, not one per pair.
    network.base_constant += pair.weight * pair.pedestal * pair.tail.constant;
    network.base_slope += pair.weight * pair.pedestal * pair.tail.slope;
    network.largest_tail =
        std::max({network.largest_tail, pair.tail.current(-full_scale), pair.tail.current(full_scale)});
  }
  return network;
}

}  // namespace tellegen::circuits
