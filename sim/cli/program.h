#pragma once
// The program: arguments in, exit code out.

#include <ostream>

namespace tellegen::cli {

enum ExitCode : int {
  kDone = 0,
  kOurFault = 1,
  kWrongInput = 2,  ///< wrong or unsupported input, wrong arguments
  kRefused = 3,     ///< valid input that cannot be done
};

/// Results go to `out`, errors as "tellegen: error: ..." to `err`; a progress bar to the terminal, if there is one.
int run_program(int argc, const char* const* argv, std::ostream& out, std::ostream& err);

}  // namespace tellegen::cli
