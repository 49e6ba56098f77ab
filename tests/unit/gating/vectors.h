#pragma once
// Stored vectors: numbers are JSON numbers or decimal strings.

#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace tellegen::models::gating::test {

/// Read once and kept, so that parts of it may be looped over.
inline const nlohmann::json& vectors(const std::string& name) {
  static std::map<std::string, nlohmann::json> files;
  const auto known = files.find(name);
  if (known != files.end()) return known->second;
  std::ifstream file(std::string(TELLEGEN_SOURCE_DIR) + "/tests/data/gating/" + name);
  return files.emplace(name, nlohmann::json::parse(file)).first->second;
}

inline double number(const nlohmann::json& value) {
  return value.is_string() ? std::strtod(value.get_ref<const std::string&>().c_str(), nullptr) : value.get<double>();
}

inline std::vector<double> numbers(const nlohmann::json& values) {
  std::vector<double> out;
  for (const nlohmann::json& value : values) out.push_back(number(value));
  return out;
}

}  // namespace tellegen::models::gating::test
