#include "tellegen/sim/report/columns.h"

namespace tellegen::report {

void ColumnWriter::text(const std::string& name, const std::vector<std::string>& values) {
  file_.write(group_ + "/" + name, std::span<const std::string>(values));
}

void ColumnWriter::real(const std::string& name, const std::vector<double>& values, const std::string& unit) {
  file_.write(group_ + "/" + name, std::span<const double>(values), {values.size()});
  file_.attribute(group_ + "/" + name, "unit", unit);
}

void ColumnWriter::whole(const std::string& name, const std::vector<std::int64_t>& values, const std::string& unit) {
  file_.write(group_ + "/" + name, std::span<const std::int64_t>(values), {values.size()});
  file_.attribute(group_ + "/" + name, "unit", unit);
}

}  // namespace tellegen::report
