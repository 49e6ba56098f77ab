#pragma once
// ngspice, or a skipped test.

#include <gtest/gtest.h>

#include <filesystem>

#include "tellegen/circuits/spice/ngspice.h"

namespace tellegen::testing_support {

inline std::filesystem::path work_folder() { return std::filesystem::path(::testing::TempDir()) / "tellegen_spice"; }

}  // namespace tellegen::testing_support

/// Declares `name` as what ngspice answers for `deck`.
#define NGSPICE_OR_SKIP(name, deck)                                              \
  const auto name##_or_none = run_ngspice(deck, testing_support::work_folder()); \
  if (!name##_or_none) GTEST_SKIP() << "ngspice is not installed.";              \
  const std::vector<double>& name = *name##_or_none
