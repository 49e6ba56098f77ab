#include "tellegen/circuits/spice/raw_file.h"

#include <gtest/gtest.h>

#include <cstring>
#include <stdexcept>
#include <vector>

namespace tellegen::circuits {
namespace {

std::string raw_file(const std::string& flags, const std::vector<double>& values) {
  std::string content =
      "Title: tile\nFlags: " + flags +
      "\nNo. Variables: 2\nNo. Points: 1       \nVariables:\n\t0\ti(va)\tcurrent\n\t1\tv(b)\tvoltage\n"
      "Binary:\n";
  content.append(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double));
  return content;
}

TEST(RawFile, RealPoint) {
  const auto point = first_point(raw_file("real", {1.5e-6, -0.25}));
  ASSERT_EQ(point.size(), 2);
  EXPECT_EQ(point.at("i(va)"), 1.5e-6);
  EXPECT_EQ(point.at("v(b)"), -0.25);
}

TEST(RawFile, ComplexPoint) {
  const auto point = first_point(raw_file("complex", {1, 2, 3, 4}));
  EXPECT_EQ(point.at("i(va)"), std::complex(1.0, 2.0));
  EXPECT_EQ(point.at("v(b)"), std::complex(3.0, 4.0));
}

TEST(RawFile, DamageIsTold) {
  EXPECT_THROW(first_point(""), std::runtime_error);
  EXPECT_THROW(first_point(raw_file("real", {1.5e-6})), std::runtime_error);
  EXPECT_THROW(first_point(raw_file("complex", {1, 2, 3})), std::runtime_error);
}

}  // namespace
}  // namespace tellegen::circuits
