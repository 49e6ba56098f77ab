#include "tellegen/sim/report/boundaries.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "hand_made.h"
#include "real_run.h"
#include "tellegen/base/error.h"
#include "tellegen/sim/report/map_output.h"
#include "tellegen/sim/report/report_text.h"
#include "tellegen/sim/report/run_file.h"
#include "tellegen/sim/report/run_table.h"

namespace tellegen::report {
namespace {

using mapping::Boundary;
using mapping::Edge;
using testing::HasSubstr;
using testing::Not;

const std::string kAverage = "'/pool' averages in the digital part. The activation stays digital.";

std::vector<Edge> edges() {
  return {
      {"act1", "silu", "/conv1/Conv", Boundary::tg_after_dac, Boundary::tg_after_dac, ""},
      {"act2", "silu", "/3/Gemm", Boundary::analog, Boundary::analog, "Straight from the amplifiers of 'a'."},
      {"act3", "silu", "/pool", Boundary::tg_after_dac, Boundary::digital, kAverage},
      {"act4", "relu, \"hard\"", "/conv9", Boundary::analog, Boundary::tg_after_dac,
       "Not analog: sums are digital. Taken: tg_after_dac."},
      {"act6", "tanh sech", "/mul", Boundary::digital, Boundary::digital, "By circuits.", "256 x memglu_pairs"},
      {"act5", "silu", "/conv1/Conv", Boundary::nonlinear_adc, Boundary::nonlinear_adc, "The ADCs of 'a' compute it."}};
}

sim::RunResult with_edges(std::vector<Edge> edges) {
  sim::RunResult result = hand_made_result();
  result.edges = std::move(edges);
  return result;
}

TEST(Boundaries, HaveALineForEachKindInTheTableOfARun) {
  const std::string table = run_table(make_report(with_edges(edges())));
  EXPECT_THAT(table,
              HasSubstr("\nboundary   1 activation by threshold gates behind DACs, in front of conv1\n"
                        "boundary   1 activation by threshold gates straight from amplifiers, in front of gemm3\n"
                        "boundary   1 activation digital, in front of /pool: " +
                        kAverage + "\n"));
  EXPECT_THAT(table, HasSubstr("\nboundary   1 activation by the ADCs of the product before, in front of conv1\n"));
}

TEST(Boundaries, NameTheCircuitsBetweenConverters) {
  std::vector<Edge> units;
  for (const char* reader : {"/layers.0/Mul_5", "/layers.1/Mul_5"}) {
    units.push_back({"a", "silu", reader, Boundary::digital, Boundary::digital, "By circuits.", "256 x memglu_pairs"});
  }
  EXPECT_EQ(boundary_lines(units, {}),
            "boundary   2 activations by circuits between converters, 256 x memglu_pairs each, in front of "
            "/layers.0/Mul_5, /layers.1/Mul_5\n");
  EXPECT_THAT(boundary_table(units), HasSubstr("256 x memglu_pairs"));
  EXPECT_THAT(boundary_csv(units),
              HasSubstr("taken,unit,why\na,silu,/layers.0/Mul_5,digital,digital,256 x memglu_pairs,"));
}

TEST(Boundaries, AreNotWorthALineWhereNobodyAskedForGates) {
  std::vector<Edge> digital = edges();
  for (Edge& edge : digital) {
    edge.asked = edge.taken = Boundary::digital;
    edge.unit.clear();
  }
  EXPECT_THAT(run_table(make_report(with_edges(digital))), Not(HasSubstr("boundary")));
  EXPECT_THAT(run_table(make_report(with_edges({}))), Not(HasSubstr("boundary")));
}

TEST(Boundaries, OfManyLayersAreCutShort) {
  std::vector<Edge> many;
  for (int i = 0; i < 11; ++i) {
    many.push_back({"a", "relu", "r" + std::to_string(i), Boundary::analog, Boundary::tg_after_dac, ""});
  }
  EXPECT_EQ(
      boundary_lines(many, {}),
      "boundary   11 activations by threshold gates behind DACs, in front of r0, r1, r2, r3, r4, r5, r6, r7 and 3 "
      "more\n");
}

void expect_same(const std::vector<Edge>& got, const std::vector<Edge>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_EQ(edge_fields(got[i]), edge_fields(expected[i]));
}

TEST(Boundaries, ComeBackFromTheRunFile) {
  const TemporaryFolder folder;
  for (const std::vector<Edge>& written : {edges(), std::vector<Edge>()}) {
    const sim::RunResult result = with_edges(written);
    write_run_file(folder / "run.h5", result, make_report(result));
    expect_same(read_run_file(folder / "run.h5").edges, written);
  }
}

TEST(Boundaries, OfADamagedFileAreRefused) {
  const TemporaryFolder folder;
  const std::filesystem::path path = folder / "edges.h5";
  const auto error_of = [&](const std::vector<std::string>& taken) {
    {
      Hdf5Writer file(path);
      for (const char* name : {"activation", "function", "reader", "asked", "why"})
        file.write(std::string("boundaries/") + name,
                   std::span<const std::string>(std::vector<std::string>{"digital"}));
      file.write("boundaries/taken", std::span<const std::string>(taken));
      file.attribute("", "source", std::string("a test"));
      file.commit();
    }
    try {
      read_boundaries(Hdf5Reader(path), path);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(error_of({"digital"}), "no error");
  EXPECT_EQ(error_of({"optical"}),
            path.string() +
                ": the file is damaged: a boundary in it is none of digital, tg_after_dac, nonlinear_adc, analog. "
                "Run the experiment "
                "again.");
  EXPECT_EQ(
      error_of({"digital", "analog"}),
      path.string() + ": the file is damaged: its columns of boundaries differ in length. Run the experiment again.");
}

TEST(Boundaries, AreInTheJsonOfARun) {
  const nlohmann::json json = nlohmann::json::parse(report_json(make_report(with_edges(edges()))));
  ASSERT_EQ(json.at("boundaries").size(), edges().size());
  EXPECT_EQ(json.at("boundaries").at(2).at("taken"), "digital");
  EXPECT_EQ(json.at("boundaries").at(2).at("why"), kAverage);
}

TEST(Boundaries, AreInTheMapOfARealNetwork) {
  const sim::ExperimentConfig config =
      sim::read_experiment(source_file("configs/experiments/cnn_silu_mnist.yaml"), {{"chip.boundary", "tg_after_dac"}});
  sim::Session session(source_file("configs/costs"), 1);
  const sim::RunResult planned = session.plan_only(config);
  ASSERT_FALSE(planned.edges.empty());
  const std::string table = map_table(planned);
  EXPECT_THAT(table, HasSubstr("\nactivation "));
  const nlohmann::json json = nlohmann::json::parse(map_json(planned));
  ASSERT_EQ(json.at("boundaries").size(), planned.edges.size());
  std::size_t gates = 0;
  for (const nlohmann::json& edge : json.at("boundaries")) {
    EXPECT_THAT(table, HasSubstr(edge.at("reader").get<std::string>()));
    EXPECT_EQ(edge.at("asked"), "tg_after_dac");
    gates += edge.at("taken") == "tg_after_dac" ? 1U : 0U;
    if (edge.at("taken") == "digital") {
      EXPECT_THAT(edge.at("why").get<std::string>(), HasSubstr("stays digital"));
    }
  }
  EXPECT_EQ(gates, static_cast<std::size_t>(std::count_if(
                       planned.plan.layers.begin(), planned.plan.layers.end(),
                       [](const mapping::LayerPlan& layer) { return layer.boundary == Boundary::tg_after_dac; })));
  EXPECT_GT(gates, 0U);
}

TEST(Boundaries, HaveCsvFieldsInQuotesWhereTheyNeedThem) {
  const std::string csv = boundary_csv(edges());
  EXPECT_EQ(csv.substr(0, csv.find('\n')), "activation,function,reader,asked,taken,unit,why");
  EXPECT_THAT(csv, HasSubstr("\nact4,\"relu, \"\"hard\"\"\",/conv9,analog,tg_after_dac,,Not analog: sums are digital. "
                             "Taken: tg_after_dac.\n"));
}

}  // namespace
}  // namespace tellegen::report
