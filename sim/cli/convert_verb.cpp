// tellegen convert: activations as threshold gates, site by site, and fitted to what they see; networks in HDF5.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>

#include "tellegen/base/error.h"
#include "tellegen/models/native/native_file.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"
#include "tellegen/sim/engine/network_changes.h"
#include "tellegen/sim/engine/network_file.h"
#include "tellegen/sim/report/conversion_table.h"

namespace tellegen::cli {
namespace {

struct ConvertOptions {
  std::filesystem::path experiment, save;
  bool calibrate = false;
  SharedOptions shared;
};

/// Writes the network of an experiment as a native file.
void save(const sim::NetworkConfig& config, const std::filesystem::path& file) {
  const std::filesystem::path from = config.network_file();
  const bool changed = config.polyglu != models::Routing::soft || config.weights.bits ||
                       config.intervention.tail != models::gating::TailIntervention::none;
  if (changed) {
    throw InputError(
        "--save writes the network of the file as it is, without what network.polyglu, network.intervention and "
        "network.weights change in it. Leave these settings out, or --save.");
  }
  if (file.extension() != ".h5" && file.extension() != ".hdf5") {
    throw InputError({file.string()}, "a network in HDF5 needs a name that ends in .h5 or .hdf5.");
  }
  if (is_same_file(file, from)) {
    throw InputError({file.string()}, "is the network that is read; saving would replace it. Give another name.");
  }
  if (config.shapes)
    throw InputError({from.string()}, "holds shapes and no weights: there is no network to save. Leave --save out.");
  models::native::write_graph(config.hdf5 ? models::native::read_graph(from) : models::onnx::read_graph(from), from,
                              file);
}

/// Fits gates to the activations that none equals, and shows what the network makes of them.
void calibrate(const sim::ExperimentConfig& config, const models::Network& network, std::ostream& out) {
  sim::check_has_weights(network, config.network);
  const auto set = models::load_test_set(config.network.data_file(), network);
  const std::int64_t count = std::min<std::int64_t>(config.evaluate.calibration_samples, set->size());
  const auto inputs = models::inputs_of_inexact(network, *set, set->size() - count, count);
  const std::vector<models::CalibratedGate> gates = models::calibrate_gates(network, inputs);
  if (gates.empty()) {
    out << "\nNothing to calibrate: no activation is a GELU or the gate of MemGLU.\n";
    return;
  }
  out << "\n" << report::calibration_table(gates) << "\n";
  const models::Evaluation evaluation{config.evaluate.samples, config.evaluate.batch, 0};
  std::vector<report::GateFigures> all{{"float", models::evaluate(network, *set, evaluation)}};
  for (const models::CalibratedGate& gate : gates) {
    const bool known =
        std::any_of(all.begin(), all.end(), [&](const report::GateFigures& one) { return one.gates == gate.model; });
    if (known) continue;
    const models::Network gated = models::with_calibrated(network, gates, gate.model);
    all.push_back({gate.model, models::evaluate(gated, *set, evaluation)});
  }
  out << report::drift_table(all);
}

void convert(const ConvertOptions& options, std::ostream& out) {
  const sim::ExperimentConfig config = sim::read_experiment(options.experiment, options.shared.overrides());
  if (!options.save.empty()) save(config.network, options.save);
  const models::Network network = sim::changed_network(config);
  const std::vector<mapping::ConversionSite> sites = mapping::conversion_sites(network);
  if (sites.empty())
    out << "The network '" << network.name << "' has no activation of its own.\n";
  else
    out << report::conversion_table(sites);
  if (options.calibrate) calibrate(config, network, out);
  if (!options.save.empty()) out << "wrote " << options.save.string() << "\n";
}

}  // namespace

void add_convert(CLI::App& program, std::ostream& out) {
  CLI::App* verb = program.add_subcommand("convert", "Show which activations can be threshold gates, where, and why.");
  auto options = std::make_shared<ConvertOptions>();
  verb->add_option("experiment", options->experiment, "The experiment, a YAML file.")
      ->required()
      ->type_name("EXPERIMENT.yaml");
  add_set_option(*verb, options->shared);
  verb->add_flag("--calibrate", options->calibrate,
                 "Fit gates to the GELUs of each layer on evaluate.calibration_samples, and show the network's metrics "
                 "with each kind of gate on evaluate.samples.");
  verb->add_option("--save", options->save, "Write the network in HDF5, in the operators of ONNX.")
      ->type_name("NET.h5");
  verb->footer(
      "\nExamples:\n"
      "  tellegen convert configs/experiments/mbnet_fashion.yaml\n"
      "  tellegen convert configs/experiments/vit_mnist.yaml --calibrate --set evaluate.samples=1000\n"
      "  tellegen convert configs/experiments/mlp_mnist.yaml --save mlp_mnist.h5");
  verb->callback([options, &out] { convert(*options, out); });
}

}  // namespace tellegen::cli
