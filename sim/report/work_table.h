#pragma once
// How much a network has to do for one input, and which of it no array can do.

#include <string>

#include "tellegen/models/network.h"
#include "tellegen/sim/report/json_text.h"

namespace tellegen::report {

/// Parameters, products, evaluations of each function; below it every product of two computed values, where there are any:
/// `where` says what computes these, "digital" or "crossbar".
std::string work_table(const models::Network& network, const std::string& where);
/// The same as an object.
Json work_json(const models::Network& network, const std::string& where);

}  // namespace tellegen::report
