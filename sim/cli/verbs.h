#pragma once
// The verbs of the command line. Each function adds one subcommand, whose callback does the work and prints to `out`.

#include <ostream>

namespace CLI {
class App;
}

namespace tellegen::cli {

void add_run(CLI::App& program, std::ostream& out);
void add_sweep(CLI::App& program, std::ostream& out);
void add_compare(CLI::App& program, std::ostream& out);
void add_map(CLI::App& program, std::ostream& out);
void add_convert(CLI::App& program, std::ostream& out);
void add_feed_forward(CLI::App& program, std::ostream& out);
void add_explain(CLI::App& program, std::ostream& out);
void add_spice(CLI::App& program, std::ostream& out);
void add_device(CLI::App& program, std::ostream& out);
void add_circuit(CLI::App& program, std::ostream& out);
void add_validate(CLI::App& program, std::ostream& out);
void add_crossbar(CLI::App& program, std::ostream& out);
void add_help(CLI::App& program, std::ostream& out);

}  // namespace tellegen::cli
