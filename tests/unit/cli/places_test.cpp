#include "tellegen/sim/cli/places.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "tellegen/base/error.h"

namespace tellegen::cli {
namespace {

namespace fs = std::filesystem;

/// Working directory and environment as they were, afterwards.
class ConfigsFolder : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tellegen-places-XXXXXX").string();
    folder_ = fs::canonical(mkdtemp(name.data()));
    before_ = fs::current_path();
    unsetenv("TELLEGEN_CONFIGS");
  }
  void TearDown() override {
    unsetenv("TELLEGEN_CONFIGS");
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  fs::path folder_, before_;
};

TEST_F(ConfigsFolder, IsFoundAboveTheWorkingDirectory) {
  fs::create_directories(folder_ / "configs/costs");
  fs::create_directories(folder_ / "deep/deeper");
  fs::current_path(folder_ / "deep/deeper");
  EXPECT_EQ(configs_folder(), folder_ / "configs");
}

TEST_F(ConfigsFolder, IsOtherwiseThatOfTheSourceTree) {
  fs::current_path(folder_);
  EXPECT_EQ(configs_folder(), fs::path(TELLEGEN_SOURCE_DIR) / "configs");
}

TEST_F(ConfigsFolder, IsTheOneOfTheEnvironmentFirst) {
  fs::create_directories(folder_ / "configs/costs");
  fs::create_directories(folder_ / "mine/costs");
  fs::current_path(folder_);
  setenv("TELLEGEN_CONFIGS", (folder_ / "mine").c_str(), 1);
  EXPECT_EQ(configs_folder(), folder_ / "mine");
}

TEST_F(ConfigsFolder, OfTheEnvironmentMustHoldCosts) {
  setenv("TELLEGEN_CONFIGS", "/nowhere", 1);
  try {
    configs_folder();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_STREQ(error.what(),
                 "TELLEGEN_CONFIGS = '/nowhere' has no folder 'costs'. Set it to the folder 'configs' of Tellegen's "
                 "source tree, or unset it.");
  }
}

}  // namespace
}  // namespace tellegen::cli
