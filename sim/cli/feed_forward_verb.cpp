// tellegen feed-forward: what the gated feed-forwards of a network do.

#include <CLI/CLI.hpp>
#include <memory>

#include "tellegen/sim/cli/feed_forward_text.h"
#include "tellegen/sim/cli/shared_options.h"
#include "tellegen/sim/cli/verbs.h"

namespace tellegen::cli {
namespace {

struct FeedForwardOptions : SharedOptions {
  std::filesystem::path experiment;
};

}  // namespace

void add_feed_forward(CLI::App& program, std::ostream& out) {
  CLI::App* verb =
      program.add_subcommand("feed-forward", "Show how gated feed-forwards use their tails, routing and weights.");
  auto options = std::make_shared<FeedForwardOptions>();
  verb->add_option("experiment", options->experiment, "The experiment, a YAML file.")
      ->required()
      ->type_name("EXPERIMENT.yaml");
  add_set_option(*verb, *options);
  add_thread_option(*verb, *options);
  verb->footer(
      "\nExamples:\n"
      "  tellegen feed-forward configs/experiments/lm_swiglu.yaml --set evaluate.samples=0\n"
      "  tellegen feed-forward configs/experiments/lm_polyglu.yaml --set network.polyglu=frozen\n"
      "\nRuns the float network alone: SwiGLU, MemGLU, PolyGLU and their kin, as network.intervention, network.polyglu "
      "and network.weights change them.");
  verb->callback([options, &out] {
    out << feed_forward_text(sim::read_experiment(options->experiment, options->overrides()), options->threads);
  });
}

}  // namespace tellegen::cli
