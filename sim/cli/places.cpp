#include "tellegen/sim/cli/places.h"

#include <cstdlib>

#include "tellegen/base/error.h"

namespace tellegen::cli {
namespace fs = std::filesystem;
namespace {

bool holds_costs(const fs::path& configs) {
  std::error_code ignored;
  return fs::is_directory(configs / "costs", ignored);
}

}  // namespace

fs::path configs_folder() {
  if (const char* named = std::getenv("TELLEGEN_CONFIGS")) {
    if (holds_costs(named)) return named;
    throw InputError("TELLEGEN_CONFIGS = '" + std::string(named) +
                     "' has no folder 'costs'. Set it to the folder 'configs' of Tellegen's source tree, or unset it.");
  }
  for (fs::path folder = fs::current_path();; folder = folder.parent_path()) {
    if (holds_costs(folder / "configs")) return folder / "configs";
    if (folder == folder.root_path()) break;
  }
  const fs::path built_from = fs::path(TELLEGEN_SOURCE_ROOT) / "configs";
  if (holds_costs(built_from)) return built_from;
  throw InputError("The cost tables are neither in configs/costs of the working directory, nor above it, nor in '" +
                   built_from.string() + "'. Set TELLEGEN_CONFIGS to the folder 'configs' of Tellegen's source tree.");
}

}  // namespace tellegen::cli
