#include "tellegen/sim/report/run_output.h"

#include "tellegen/sim/report/output_folder.h"
#include "tellegen/sim/report/report_text.h"
#include "tellegen/sim/report/run_file.h"

namespace tellegen::report {

void write_run_output(const std::filesystem::path& folder, const sim::RunResult& result, const Report& report) {
  OutputFolder output(folder);
  output.write("run.h5", [&](const std::filesystem::path& file) { write_run_file(file, result, report); });
  output.write_text("report.json", report_json(report));
  output.write_text("layers.csv", layers_csv(report));
  output.commit();
}

}  // namespace tellegen::report
