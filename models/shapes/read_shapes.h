#pragma once
// Networks as shapes alone, for those whose weights nobody has here: they can be planned and counted, not run.

#include <filesystem>

#include "tellegen/models/network.h"

namespace tellegen::models {

/// Reads a YAML file of shapes (README.md in this folder). No operation of the network has weights. Throws ConfigError and
/// InputError: unknown, repeated or missing settings, layers that do not fit each other, parameters that do not add up to
/// what the file says.
Network read_shapes(const std::filesystem::path& file);

}  // namespace tellegen::models
