#pragma once
// Settings as text.

#include <string>
#include <vector>

#include "tellegen/base/config.h"

namespace tellegen::cli {

/// One line per setting below `prefix` ("" for all): path, kind, allowed, default, help. Throws InputError where there
/// is none.
std::string manual_text(const std::vector<ManualRow>& rows, const std::string& prefix);

}  // namespace tellegen::cli
