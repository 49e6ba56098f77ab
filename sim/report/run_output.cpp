#include "tellegen/sim/report/run_output.h"

#include "tellegen/base/output_file.h"
#include "tellegen/sim/report/output_folder.h"
#include "tellegen/sim/report/report_text.h"
#include "tellegen/sim/report/run_file.h"

namespace tellegen::report {

void write_run_output(const std::filesystem::path& folder, const sim::RunResult& result, const Report& report) {
  OutputFolder output(folder);
  write_run_file(output.staged("run.h5"), result, report);
  write_text_file(output.staged("report.json"), report_json(report));
  write_text_file(output.staged("layers.csv"), layers_csv(report));
  output.commit();
}

}  // namespace tellegen::report
