#include "tellegen/sim/report/run_output.h"

#include "tellegen/base/output_file.h"
#include "tellegen/sim/report/output_folder.h"
#include "tellegen/sim/report/report_text.h"
#include "tellegen/sim/report/run_file.h"

namespace tellegen::report {

void write_run_output(const std::filesystem::path& folder, const sim::RunResult& result, const Report& report) {
  OutputFolder output(folder);
  output.write("run.h5", [&](const std::filesystem::path& file) { write_run_file(file, result, report); });
  output.write("report.json", [&](const std::filesystem::path& file) { write_text_file(file, report_json(report)); });
  output.write("layers.csv", [&](const std::filesystem::path& file) { write_text_file(file, layers_csv(report)); });
  output.commit();
}

}  // namespace tellegen::report
