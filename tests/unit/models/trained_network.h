#pragma once
// A shipped network with its record and its test set.

#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tellegen/models/onnx/import.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models {

inline std::string in_source(const std::string& folder, const std::string& file) {
  return std::string(TELLEGEN_SOURCE_DIR) + "/" + folder + "/" + file;
}

struct Trained {
  explicit Trained(const std::string& name)
      : record(nlohmann::json::parse(std::ifstream(in_source("models/trained/records", name + ".json")))),
        network(import_onnx(in_source("models/trained", name + ".onnx"))),
        set(load_test_set(in_source("models/data", record["data"]), network)) {}
  nlohmann::json record;
  Network network;
  std::unique_ptr<TestSet> set;
};

inline double value_of(const std::vector<Figure>& figures, const std::string& name) {
  for (const Figure& figure : figures)
    if (figure.name == name) return figure.value;
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

}  // namespace tellegen::models
