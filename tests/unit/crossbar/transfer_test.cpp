#include "tellegen/circuits/crossbar/transfer.h"

#include <gtest/gtest.h>

#include "../base/message_of.h"
#include "arrays.h"
#include "tellegen/base/error.h"
#include "tellegen/circuits/crossbar/nodal_reference.h"

namespace tellegen::circuits {
namespace {

using namespace testing_support;

/// Largest difference to the reference, relative to its largest entry.
double error_of(const TestArray& array) {
  const std::vector<double> reference = NodalReference(array.wires, array.cell_S).transfer();
  const double scale = largest(reference);
  return largest_difference(collapse(array.wires, array.cell_S).transfer(), reference) / (scale > 0 ? scale : 1);
}

std::shared_ptr<const CollapsePlan> plan_of(const TestArray& array) {
  return std::make_shared<CollapsePlan>(array.wires);
}

TEST(Transfer, EveryTopologyEqualsTheReference) {
  for (std::uint64_t seed = 0; seed < 150; ++seed) EXPECT_LT(error_of(random_array(seed)), 1e-13) << seed;
}

TEST(Transfer, EveryShapeEqualsTheReference) {
  for (const auto& [rows, columns] :
       {std::pair{1, 1}, {1, 60}, {60, 1}, {8, 8}, {8, 9}, {17, 16}, {65, 33}, {20, 90}}) {
    EXPECT_LT(error_of(plain_array(rows, columns, 3)), 1e-13) << rows << " x " << columns;
  }
}

TEST(Transfer, EveryTopologyEqualsTheDirectSolve) {
  for (std::uint64_t seed = 200; seed < 260; ++seed) {
    const TestArray array = random_array(seed);
    const NodalSolution direct = NodalReference(array.wires, array.cell_S).solve(array.input_V);
    const PortNetwork ports = collapse(array.wires, array.cell_S);
    EXPECT_LE(largest_difference(product(ports.transfer(), array.input_V), direct.output_A),
              1e-12 * largest(direct.output_A))
        << seed;
    const std::vector<double> applied_V = applied_voltages(array.wires, array.input_V);
    const double power_W = dot(applied_V, product(ports.input_admittance(), applied_V));
    EXPECT_NEAR(power_W, direct.dissipated_W, 1e-12 * direct.dissipated_W) << seed;
  }
}

TEST(Transfer, PublishedOperatingPoints) {
  const nlohmann::json data = physics_data("crossbar_operating_points.json");
  ASSERT_EQ(data["cases"].size(), 12U);
  for (const auto& each : data["cases"]) {
    Wires wires;
    wires.rows = each["rows"];
    wires.columns = each["columns"];
    wires.row_segment_ohm = each["row_segment_ohm"];
    wires.column_segment_ohm = each["column_segment_ohm"];
    wires.driver_ohm = each["driver_ohm"];
    wires.sense_ohm = each["sense_ohm"];
    wires.drive = each["drive"] == "both_sides" ? Drive::both_sides : Drive::one_side;
    const auto drawn = [&](const char* name, std::int64_t count) {
      return Uniform(each[name]["seed"].get<std::uint64_t>()).numbers(count, each[name]["lo"], each[name]["hi"]);
    };
    const std::vector<double> transfer = collapse(wires, drawn("conductance_S", wires.rows * wires.columns)).transfer();
    const std::vector<double> exact_A = each["output_A"];
    EXPECT_LT(largest_difference(product(transfer, drawn("voltage_V", wires.rows)), exact_A), 1e-13 * largest(exact_A))
        << each["name"];
  }
}

TEST(Transfer, SameBitsEveryTime) {
  const TestArray array = random_array(5);
  EXPECT_EQ(collapse(array.wires, array.cell_S).transfer(), collapse(array.wires, array.cell_S).transfer());
  CollapseMemory memory;
  const TestArray other = plain_array(50, 70, 1);
  const Collapse large(plan_of(other), other.cell_S, memory);
  const Collapse small(plan_of(array), array.cell_S, memory);
  EXPECT_EQ(small.ports().transfer(), collapse(array.wires, array.cell_S).transfer()) << "memory that was used before";
}

TEST(Transfer, OnePlanServesManyTiles) {
  const TestArray one = plain_array(30, 20, 1);
  const TestArray two = plain_array(30, 20, 2);
  const auto plan = plan_of(one);
  CollapseMemory memory;
  EXPECT_EQ(Collapse(plan, one.cell_S, memory).ports().transfer(), collapse(one.wires, one.cell_S).transfer());
  EXPECT_EQ(Collapse(plan, two.cell_S, memory).ports().transfer(), collapse(two.wires, two.cell_S).transfer());
}

TEST(Transfer, RefusesChangesOfCellsThatDoNotExist) {
  const TestArray array = plain_array(4, 5, 1);
  CollapseMemory memory;
  Collapse kept(plan_of(array), array.cell_S, memory, {.rewritable = true});
  const auto refused = [&](const CellChange& change) {
    return message_of<InputError>([&] { kept.rewrite(std::vector<CellChange>{change}); });
  };
  EXPECT_EQ(refused({4, 0, 1e-6}),
            "A change is for the cell in row '4', column '0'; this array has rows 0 to 3 and columns 0 to 4.");
  EXPECT_EQ(refused({3, 4, -1}),
            "The cell in row 3, column 4 has the conductance '-1 S'; 0 S (open) or more is needed.");
  EXPECT_EQ(kept.ports().transfer(), collapse(array.wires, array.cell_S).transfer()) << "nothing has changed";
}

TEST(Transfer, RewritingEqualsStartingAnewAndRedoesOnlyAPath) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U, 5U, 6U}) {
    TestArray array = random_array(seed);
    CollapseMemory memory;
    Collapse kept(plan_of(array), array.cell_S, memory, {.rewritable = true});
    Uniform uniform(seed);
    std::vector<CellChange> changes;
    for (int k = 0; k < 3; ++k) {
      const CellChange change{uniform.integer(0, array.wires.rows - 1), uniform.integer(0, array.wires.columns - 1),
                              uniform(0, 1e-4)};
      array.cell_S[static_cast<std::size_t>(change.row * array.wires.columns + change.column)] = change.cell_S;
      changes.push_back(change);
    }
    kept.rewrite(changes);
    EXPECT_EQ(kept.ports().transfer(), collapse(array.wires, array.cell_S).transfer()) << seed;
  }
  const TestArray array = plain_array(128, 128, 1);
  CollapseMemory memory;
  Collapse kept(plan_of(array), array.cell_S, memory, {.rewritable = true});
  const double all = kept.cost().operations;
  kept.rewrite(std::vector<CellChange>{{3, 100, 1e-5}});
  EXPECT_LT(kept.cost().operations, 0.5 * all);
}

TEST(Transfer, OperationsGrowWithTheCubeOfTheSide) {
  CollapseMemory memory;
  const auto operations = [&](std::int64_t side) {
    const TestArray array = plain_array(side, side, 1);
    return Collapse(plan_of(array), array.cell_S, memory).cost().operations;
  };
  const double growth = operations(256) / operations(128);
  EXPECT_GT(growth, 7);
  EXPECT_LT(growth, 8.5);
}

}  // namespace
}  // namespace tellegen::circuits
