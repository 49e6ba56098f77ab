#include "tellegen/sim/report/plot/gnuplot.h"

#include <fmt/format.h>

#include <stdexcept>
#include <string>

#include "tellegen/base/external_program.h"
#include "tellegen/base/output_file.h"
#include "tellegen/base/temporary_file.h"

namespace tellegen::plot {

Drawn draw(const Figure& figure, const std::filesystem::path& file) {
  TemporaryFile image(file);
  const TemporaryFile script(file.string() + ".gnuplot"), errors(file.string() + ".errors");
  write_text_file(script.path(), gnuplot_script(figure, file, image.path()));
  const auto code = run_external({"gnuplot", script.path().string()}, errors.path());
  if (!code) return Drawn::gnuplot_is_missing;
  if (*code != 0) {
    throw std::runtime_error(fmt::format("gnuplot failed on '{}': {}", file.string(), bytes_of(errors.path())));
  }
  image.commit();
  return Drawn::yes;
}

std::string missing_gnuplot_message(const std::filesystem::path& file) {
  return fmt::format(
      "'{}' was not drawn: the program gnuplot was not found. The data are written; install the package gnuplot-nox "
      "and run again for the figure.",
      file.string());
}

}  // namespace tellegen::plot
