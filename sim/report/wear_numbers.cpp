#include "tellegen/sim/report/wear_numbers.h"

#include <algorithm>
#include <utility>

#include "tellegen/base/error.h"
#include "tellegen/sim/engine/wear.h"
#include "tellegen/sim/report/breakdown.h"

namespace tellegen::report {
namespace {

Number titled(Number number, const std::string& id, const std::string& title) {
  number.id = id;
  number.title = title;
  return number;
}

/// `remark` on how long the cells last; "" where another row says it.
void add_row(const sim::WearRow& row, const std::string& layer, const std::string& remark, Numbers& numbers) {
  const circuits::Band inputs = sim::lifetime_images(row);
  Number writes = titled(banded(circuits::Band::exact(row.writes_per_cell), "1"), "writes_per_cell." + layer,
                         "how often each cell of " + row.layer + " is written for one input");
  writes.formula = "cell writes / inputs / cells in use";
  writes.inputs = {numbers.refer("cell writes", "count." + layer + ".cell_writes"),
                   numbers.refer("inputs", "count." + layer + ".images")};
  writes.source = "counted";
  Number endurance =
      titled(banded(row.endurance, "1"), "endurance." + layer, "how often a cell of " + row.layer + " can be written");
  endurance.source = row.source;
  numbers.add(std::move(writes));
  numbers.add(std::move(endurance));

  Number count = titled(banded(inputs, "1"), "lifetime_inputs." + layer,
                        "inputs until the cells of " + row.layer + " have taken all their writes");
  count.formula = "endurance / writes per cell";
  count.inputs = {numbers.refer("endurance", "endurance." + layer),
                  numbers.refer("writes per cell", "writes_per_cell." + layer)};
  count.source = row.source;
  const Number& latency = numbers.at("latency");
  Number time = titled(banded(latency.value * inputs, "s"), "lifetime." + layer,
                       "how long the cells of " + row.layer + " last, one input after the other without a pause");
  time.formula = "lifetime in inputs x latency";
  time.source = row.source;
  numbers.add(std::move(count));
  time.inputs = {numbers.refer("lifetime in inputs", "lifetime_inputs." + layer), numbers.refer("latency", "latency")};
  if (!remark.empty()) time.warnings.push_back(remark);
  numbers.add(std::move(time));
}

}  // namespace

void add_wear(const sim::RunResult& result, Report& report) {
  std::string remark = sim::wear_remark(result.ledger, result.config.chip.attention.cell);
  for (const sim::WearRow& row : result.ledger.wear) {
    const auto layer = std::ranges::find(report.layers, row.layer, &ReportLayer::name);
    TELLEGEN_ASSERT(layer != report.layers.end());
    add_row(row, layer->id, std::exchange(remark, ""), report.numbers);
  }
}

}  // namespace tellegen::report
