#include "tellegen/sim/engine/network_file.h"

#include <fmt/format.h>

#include "tellegen/models/native/native_file.h"
#include "tellegen/models/onnx/import.h"
#include "tellegen/models/shapes/read_shapes.h"

namespace tellegen::sim {

models::Network read_network(const NetworkConfig& config) {
  const std::filesystem::path file = config.network_file();
  if (config.shapes) return models::read_shapes(file);
  return config.hdf5 ? models::import_native(file) : models::import_onnx(file);
}

void check_has_weights(const models::Network& network, const NetworkConfig& config) {
  if (models::has_weights(network)) return;
  throw InputError(
      fmt::format("network.shapes = '{}' gives the shapes of '{}' and no weights: it can be mapped and "
                  "converted, not run. Name a trained network as network.onnx or network.hdf5.",
                  config.shapes.value_or("").string(), network.name));
}

}  // namespace tellegen::sim
