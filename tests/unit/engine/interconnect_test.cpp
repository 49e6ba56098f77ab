// Rows of the ledger for what moves data: nothing unless asked for, then counts by hand times prices.

#include "tellegen/sim/engine/interconnect.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine_fixture.h"
#include "tellegen/circuits/cost/interconnect_cost.h"
#include "tellegen/mapping/traffic.h"

namespace tellegen::sim {
namespace {

const std::string kEvaluate = "\nevaluate: {samples: 16, chips: 1, calibration_samples: 16}";

RunResult run(const std::string& network, const std::string& interconnect, const std::string& attention = "digital") {
  return Session(test::kCosts)
      .run(test::experiment(network, "chip: {tile: {rows: 64, columns: 64}, interconnect: {" + interconnect +
                                         "}, attention: {products: " + attention + "}}" + kEvaluate));
}

double energy(const Ledger& ledger, const std::string& component) {
  return total_energy_J(ledger, "", component).typical;
}

TEST(Interconnect, IsNotThereUnlessAskedForAndTheLedgerSaysSo) {
  const Ledger ledger = run("lenet_mnist", "").ledger;
  for (const EnergyRow& row : ledger.energy) EXPECT_NE(row.layer, kInterconnect);
  for (const AreaRow& row : ledger.area) EXPECT_NE(row.layer, kInterconnect);
  EXPECT_EQ(ledger.note,
            "Energy and area leave out the way from tile to tile (chip.interconnect.topology), memory off the chip "
            "(chip.interconnect.dram), control of the tiles (chip.interconnect.control).");
}

TEST(Interconnect, WhatIsAskedForStandsBesideAllElse) {
  const Ledger without = run("lenet_mnist", "").ledger;
  const RunResult with = run("lenet_mnist", "topology: mesh, dram: lpddr4, weight_loads: 1, control: true");
  circuits::Band energy_J, area_m2;
  std::size_t common = 0;
  for (const EnergyRow& row : with.ledger.energy) {
    EXPECT_EQ(row.energy_J, row.count * row.price.energy_J);
    EXPECT_FALSE(row.price.from.source.empty()) << row.component;
    EXPECT_FALSE(row.price.from.spread.empty()) << row.component;
    energy_J += row.energy_J;
    if (common < without.energy.size() && row.component == without.energy[common].component) {
      EXPECT_EQ(row.energy_J, without.energy[common++].energy_J);
    }
  }
  for (const AreaRow& row : with.ledger.area) area_m2 += row.area_m2;
  EXPECT_EQ(common, without.energy.size());
  EXPECT_EQ(total_energy_J(with.ledger), energy_J);
  EXPECT_EQ(total_area_m2(with.ledger), area_m2);
  EXPECT_EQ(total_latency_s(with.ledger), total_latency_s(without));
  EXPECT_EQ(with.ledger.note, "The way from tile to tile takes no time: it is taken to go on while tiles compute.");
}

TEST(Interconnect, RoutersLinksAndClocksAreCountsTimesPrices) {
  for (const char* const topology : {"mesh", "h_tree", "bus"}) {
    SCOPED_TRACE(topology);
    const double area_m2 = total_area_m2(run("lenet_mnist", "").ledger).typical;
    const RunResult result = run("lenet_mnist", std::string("topology: ") + topology + ", flit_bits: 128");
    const circuits::CostModel costs(result.config.costs, test::kCosts);
    const mapping::Topology kind = result.config.chip.interconnect.topology;
    const auto traffic = mapping::traffic(result.workload->network, result.plan, kind, 8, 16);
    const auto sum = [&](double mapping::LayerTraffic::*member) {
      return std::accumulate(traffic.begin(), traffic.end(), 0.0,
                             [&](double total, const mapping::LayerTraffic& of) { return total + of.*member; });
    };
    const Length node = result.config.chip.node;
    const double pitch_mm = 1e3 * std::sqrt(area_m2 / result.plan.tiles);
    const double router_J = sum(&mapping::LayerTraffic::router_bits) / 128 * 4.49303e-12;  // DSENT, 32 nm, 128 bits
    const double link_J = sum(&mapping::LayerTraffic::pitch_bits) * pitch_mm * 32.4e-15;
    EXPECT_NEAR(energy(result.ledger, "router"), router_J, 1e-9 * router_J);
    EXPECT_NEAR(energy(result.ledger, "link"), link_J, 1e-9 * link_J);
    const mapping::Fabric built = mapping::fabric(kind, result.plan.tiles);
    EXPECT_EQ(total_area_m2(result.ledger, "", "router").typical,
              built.routers > 0 ? built.routers * circuits::router_price(costs, 128, node).area_m2.typical : 0);
    EXPECT_GT(link_J, 0);
    const double cycles = built.routers * total_latency_s(result.ledger) / 1e-9;
    EXPECT_NEAR(energy(result.ledger, "router_clock"), cycles * 0.51511e-12, 1e-9 * cycles * 0.51511e-12);
  }
}

TEST(Interconnect, GatedClocksCostNothing) {
  EXPECT_GT(energy(run("lenet_mnist", "topology: mesh").ledger, "router_clock"), 0);
  EXPECT_EQ(energy(run("lenet_mnist", "topology: mesh, clock_gated: true").ledger, "router_clock"), 0);
}

TEST(Interconnect, MemoryOffTheChipIsBitsTimesItsPrice) {
  const Ledger inputs = run("lenet_mnist", "dram: lpddr4").ledger;
  EXPECT_NEAR(energy(inputs, "dram_inputs"), 784 * 8 * 8e-12, 1e-18);
  EXPECT_EQ(energy(inputs, "dram_weights"), 0);
  const Ledger weights = run("lenet_mnist", "dram: hbm2, dram_inputs: false, weight_loads: 2").ledger;
  const double count = 25 * 6 + 150 * 16 + 400 * 120 + 120 * 84 + 84 * 10;
  EXPECT_EQ(energy(weights, "dram_inputs"), 0);
  EXPECT_NEAR(energy(weights, "dram_weights"), 2 * count * 8 * 6.25e-12, 1e-15);
}

/// 7.5 % of the energy of actions and 12.5 % of the area (Colonnade).
TEST(Interconnect, ControlIsItsShareOfTheWhole) {
  for (const char* const network : {"lenet_mnist", "lstm_mnist"}) {
    const Ledger ledger = run(network, "control: true").ledger;
    const double actions = total_energy_J(ledger).typical - energy(ledger, "leakage");
    EXPECT_NEAR(energy(ledger, "control") / actions, 0.075, 1e-9);
    EXPECT_NEAR(total_area_m2(ledger, "", "control").typical / total_area_m2(ledger).typical, 0.125, 1e-9);
  }
}

/// Tiles that are rewritten are joined and controlled like the others.
TEST(Interconnect, ReachesTilesThatAreRewritten) {
  const RunResult result = run("vit_mnist", "topology: mesh, control: true", "crossbar");
  ASSERT_FALSE(result.plan.written.empty());
  for (const mapping::LayerPlan& product : result.plan.written) {
    SCOPED_TRACE(product.name);
    for (const char* const component : {"router", "link", "control"})
      EXPECT_GT(total_energy_J(result.ledger, product.name, component).typical, 0) << component;
    EXPECT_NEAR(total_area_m2(result.ledger, product.name, "control").typical /
                    total_area_m2(result.ledger, product.name).typical,
                0.125, 1e-9);
  }
}

TEST(Interconnect, NumbersThatHaveNoPriceAreRefused) {
  try {
    run("lenet_mnist", "topology: mesh, flit_bits: 100");
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find("flit_bits = '100' has no price; allowed: 32, 64, 128, 256."),
              std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace tellegen::sim
