#include <iostream>

#include "tellegen/sim/cli/program.h"

int main(int argc, char** argv) { return tellegen::cli::run_program(argc, argv, std::cout, std::cerr); }
