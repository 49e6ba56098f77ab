#pragma once
// How long cells that are written with every input last.

#include <string>

#include "tellegen/circuits/cost/price.h"
#include "tellegen/sim/engine/ledger.h"

namespace tellegen::sim {

/// Images until the cells of a row of the ledger have taken all their writes.
circuits::Band lifetime_images(const WearRow& row);

/// One sentence on the cells that are worn out first, at one image after the other; "" where none are rewritten.
std::string wear_remark(const Ledger& ledger, const std::string& cell);

}  // namespace tellegen::sim
