#include <gmock/gmock.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "real_run.h"
#include "tellegen/sim/report/map_output.h"

namespace tellegen::report {
namespace {

sim::RunResult planned() {
  sim::Session session(source_file("configs/costs"), 1);
  return session.plan_only(short_experiment());
}

TEST(Map, HasOneRowPerSliceAndEveryWeightOnce) {
  const sim::RunResult result = planned();
  const nlohmann::json json = nlohmann::json::parse(map_json(result));
  ASSERT_EQ(json.at("slices").size(), static_cast<std::size_t>(result.plan.tiles));
  double cells = 0;
  for (const nlohmann::json& slice : json.at("slices")) cells += slice.at("utilisation").get<double>() * 128 * 128;
  // LeNet: 61,470 weights, two cells each; biases are digital.
  EXPECT_NEAR(cells, 2 * 61470.0, 1e-6);
}

TEST(Map, CsvAndJsonAgree) {
  const sim::RunResult result = planned();
  const std::string csv = map_csv(result);
  EXPECT_EQ(csv.substr(0, csv.find('\n')),
            "layer,operation,source,slice,tile,row_begin,row_end,output_begin,output_end,rows,columns,utilisation,"
            "positions,dacs,lines,adcs");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), result.plan.tiles + 1);
}

TEST(Map, TableEndsWithTheTotal) {
  const sim::RunResult result = planned();
  const std::string table = map_table(result);
  EXPECT_NE(table.find("\ntotal"), std::string::npos);
}

}  // namespace
}  // namespace tellegen::report
