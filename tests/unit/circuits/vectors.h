#pragma once
// Numbers computed elsewhere that the converters are compared with (tests/data/physics/converters.json).

#include <fstream>
#include <nlohmann/json.hpp>

namespace tellegen::testing_support {

inline nlohmann::json converter_vectors() {
  return nlohmann::json::parse(std::ifstream(TELLEGEN_SOURCE_DIR "/tests/data/physics/converters.json"));
}

}  // namespace tellegen::testing_support
