#pragma once
// What comes with the program, and chips written in a line.

#include <string>

#include "tellegen/mapping/chip.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::mapping::test {

inline models::Network trained(const std::string& name) {
  return models::import_onnx(std::string(TELLEGEN_SOURCE_DIR) + "/models/trained/" + name + ".onnx");
}

/// `settings` as inside of "chip: {...}".
inline ChipConfig chip(const std::string& settings) {
  ChipFile file;
  read_config_text("chip: {" + settings + "}", "chip.yaml", file);
  return file.chip;
}

}  // namespace tellegen::mapping::test
