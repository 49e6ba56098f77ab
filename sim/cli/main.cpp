#include <csignal>
#include <iostream>

#include "tellegen/sim/cli/program.h"

int main(int argc, char** argv) {
  std::signal(SIGXFSZ, SIG_IGN);  // a file over the limit of size fails as a full disk does, with a message
  return tellegen::cli::run_program(argc, argv, std::cout, std::cerr);
}
