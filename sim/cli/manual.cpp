#include "tellegen/sim/cli/manual.h"

namespace tellegen::cli {

std::string manual_text(const std::vector<ManualRow>& rows, const std::string& prefix) {
  std::string text;
  std::vector<std::string> paths;
  for (const ManualRow& row : rows) {
    for (std::size_t dot = row.path.find('.'); dot != std::string::npos; dot = row.path.find('.', dot + 1)) {
      paths.push_back(row.path.substr(0, dot));  // groups can be asked for, so they are proposals
    }
    paths.push_back(row.path);
    const bool inside = prefix.empty() || row.path == prefix || row.path.rfind(prefix + ".", 0) == 0;
    if (!inside) continue;
    text += row.path + ": " + row.help + "\n    " + row.kind;
    if (!row.allowed.empty()) text += "; " + row.allowed;
    if (!row.default_value.empty())
      text += row.default_value == "required" ? "; required" : "; default " + row.default_value;
    if (!row.when.empty()) text += "; only where " + row.when;
    text += "\n";
  }
  if (text.empty()) {
    const std::string near = nearest(prefix, paths);
    throw InputError("'" + prefix + "' is not a setting or a group of settings" +
                     (near.empty() ? "." : "; did you mean '" + near + "'?") +
                     " 'tellegen help config' lists all of them.");
  }
  return text;
}

}  // namespace tellegen::cli
