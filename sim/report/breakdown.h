#pragma once
// Sums of rows by layer and by component, so that every total is the sum of its rows and says which.

#include <string>
#include <vector>

#include "tellegen/circuits/cost/price.h"
#include "tellegen/sim/report/report.h"

namespace tellegen::report {

/// One priced row: `number` lacks id and title, which the breakdown gives it.
struct BreakdownRow {
  std::string layer, component;  ///< layer as named in the network's file
  Number number;
};

/// What is broken down: "energy", "energy per image", "J". `note` is what the total does not hold.
struct Subject {
  std::string id, title, unit, note = {};
};

/// Adds ID.LAYER.COMPONENT for each row (numbered .1, .2 where several rows share a place, and then their sum),
/// ID.LAYER, ID.all.COMPONENT and ID, each with low and high as interval sums.
void add_breakdown(const Subject& quantity, std::vector<BreakdownRow> rows, Report& report);

/// A number with the value and spread of `band`.
Number banded(const circuits::Band& band, const std::string& unit);

/// Source text of a price: keys, evidence, scaling and spread.
std::string source_text(const circuits::Provenance& from);

}  // namespace tellegen::report
