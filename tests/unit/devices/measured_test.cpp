#include "tellegen/devices/measured.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "sample_statistics.h"
#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"

namespace tellegen::devices {
namespace {

namespace fs = std::filesystem;
using namespace units;

constexpr ArrayAddress address{29, {0, 3, 1}};
Conditions after(double age_s) { return {Time::si(age_s), Temperature::si(300)}; }
const fs::path shipped = fs::path(TELLEGEN_SOURCE_DIR) / "configs/devices/measured/oxide_rram.csv";

/// A temporary folder, removed at the end.
class MeasuredFiles : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "tellegen-measured-XXXXXX").string();
    folder_ = mkdtemp(name.data());
  }
  void TearDown() override { fs::remove_all(folder_); }
  fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / name) << text;
    return folder_ / name;
  }
  /// What making a device of `file` complains about, without the folder.
  std::string complaint(const fs::path& file) const {
    MeasuredParameters p;
    p.file = file;
    try {
      p.make();
    } catch (const InputError& error) {
      std::string text = error.what();
      const std::string prefix = folder_.string() + "/";
      for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix)) {
        text.erase(at, prefix.size());
      }
      return text;
    }
    return "";
  }
  fs::path folder_;
};

/// 11 samples per target and age, `target + step k`, k = -5 .. 5; the step doubles with the age.
std::string small_set() {
  std::string text = "age_s, g_S, target_S\n";
  for (const int age_s : {10, 1000}) {
    for (const int target_uS : {10, 20, 40}) {
      for (int k = -5; k <= 5; ++k) {
        text += std::to_string(age_s) + ", " + std::to_string(target_uS * 10 + k * (age_s == 10 ? 1 : 2)) + "e-7, " +
                std::to_string(target_uS) + "e-6\n";
      }
    }
  }
  return text;
}

struct Group {
  std::vector<double> g_S;
  double central(int order) const {
    const double mean_S = test::moments(g_S).mean;
    double sum = 0;
    for (const double g : g_S) sum += std::pow(g - mean_S, order);
    return sum / static_cast<double>(g_S.size());
  }
};

TEST(MeasuredDevice, StatisticsOfTheShippedSamplesComeBackWithinTheirSamplingError) {
  std::map<std::pair<double, double>, Group> groups;
  for (const ConductanceSample& sample : read_samples(shipped)) {
    groups[{sample.age_s, sample.target_S}].g_S.push_back(sample.g_S);
  }
  ASSERT_EQ(groups.size(), 32u);
  MeasuredParameters p;
  p.file = shipped;
  const auto device = p.make();
  for (auto& [key, group] : groups) {
    const auto [age_s, target_S] = key;
    const auto programmed = device->program(std::vector<float>(20000, static_cast<float>(target_S)), address);
    auto cells_S = device->read(programmed, after(age_s), address).mean_S;
    const auto cells = test::moments(cells_S);
    const double n = static_cast<double>(group.g_S.size());
    const double variance_S2 = group.central(2), mean_S = test::moments(group.g_S).mean;
    // One standard error of the mean of n samples; of their variance, with the fourth moment that they have.
    EXPECT_LT(std::abs(cells.mean - mean_S), std::sqrt(variance_S2 / n)) << age_s << " " << target_S;
    const double variance_error_S2 = std::sqrt((group.central(4) - variance_S2 * variance_S2) / n);
    EXPECT_LT(std::abs(cells.variance - variance_S2), variance_error_S2) << age_s << " " << target_S;
    // The whole distribution: Kolmogorov's distance stays far below 1.36 / sqrt(n), its 5 % point.
    std::sort(cells_S.begin(), cells_S.end());
    std::sort(group.g_S.begin(), group.g_S.end());
    double distance = 0;
    for (std::size_t k = 0; k < group.g_S.size(); ++k) {
      const auto below = std::lower_bound(cells_S.begin(), cells_S.end(), static_cast<float>(group.g_S[k]));
      const double share = static_cast<double>(below - cells_S.begin()) / static_cast<double>(cells_S.size());
      distance = std::max(distance, std::abs(share - (static_cast<double>(k) + 0.5) / n));
    }
    EXPECT_LT(distance, 0.5 / std::sqrt(n)) << age_s << " " << target_S;
  }
}

TEST(MeasuredDevice, ShippedSamplesFollowTheModelThatTheirFileStates) {
  std::map<std::pair<double, double>, Group> groups;
  for (const ConductanceSample& sample : read_samples(shipped)) {
    groups[{sample.age_s, sample.target_S}].g_S.push_back(sample.g_S);
  }
  double skewness = 0;
  for (const auto& [key, group] : groups) {
    const auto [age_s, target_S] = key;
    const double g = target_S / 40e-6;
    const double mean_S = target_S * (1 - 0.004 * std::log(age_s));
    const double sigma_S = 1e-6 * (0.2 + 2 * g * (1 - g)) * (1 + 0.05 * std::log(age_s));
    EXPECT_LT(std::abs(test::mean_z(test::moments(group.g_S), mean_S, sigma_S)), 4.5);
    // Excess kurtosis of this gamma distribution is 6 / 4: the sample variance scatters by sqrt(3.5 / n).
    EXPECT_LT(std::abs(group.central(2) / (sigma_S * sigma_S) - 1), 4.5 * std::sqrt(3.5 / 120));
    skewness += group.central(3) / std::pow(sigma_S, 3) / 32;
  }
  EXPECT_NEAR(skewness, -1, 0.3);
}

TEST_F(MeasuredFiles, MedianAndSpreadAreLinearInTheTargetAndInTheLogarithmOfTheAge) {
  MeasuredParameters p;
  p.file = write("small.csv", small_set());
  p.range.g_min = 10 * uS;
  const auto device = p.make();
  constexpr std::size_t cells = 100001;
  for (const auto& [age_s, step_uS] : {std::pair{0.0, 0.1}, {10.0, 0.1}, {100.0, 0.15}, {1000.0, 0.2}, {1e6, 0.2}}) {
    for (const double target_uS : {10.0, 20.0, 32.0, 40.0}) {
      const auto programmed = device->program(std::vector<float>(cells, static_cast<float>(target_uS * 1e-6)), address);
      auto g_S = device->read(programmed, after(age_s), address).mean_S;
      std::sort(g_S.begin(), g_S.end());
      EXPECT_NEAR(g_S[cells / 2], target_uS * 1e-6, 0.03 * step_uS * 1e-6) << age_s;
      EXPECT_NEAR(g_S.front(), (target_uS - 5 * step_uS) * 1e-6, 1e-11) << age_s;
      EXPECT_NEAR(g_S.back(), (target_uS + 5 * step_uS) * 1e-6, 1e-11) << age_s;
      // Sample 3 of 0 .. 10 is the 3.5 / 11 quantile; binomial error of its rank, converted by the step of 1 / 11.
      const double rank_error = std::sqrt(3.5 / 11 * 7.5 / 11 / cells);
      EXPECT_NEAR(g_S[static_cast<std::size_t>(3.5 / 11 * cells)], (target_uS - 2 * step_uS) * 1e-6,
                  (test::z_limit * rank_error * 11 + 0.03) * step_uS * 1e-6)
          << age_s;
    }
  }
}

TEST_F(MeasuredFiles, Hdf5HoldsTheSameAsCsv) {
  const fs::path csv = write("small.csv", small_set());
  const auto samples = read_samples(csv);
  std::vector<double> target_S, age_s, g_S;
  for (const ConductanceSample& sample : samples) {
    target_S.push_back(sample.target_S);
    age_s.push_back(sample.age_s);
    g_S.push_back(sample.g_S);
  }
  Hdf5Writer writer(folder_ / "small.h5");
  writer.write("target_S", std::span<const double>(target_S), {target_S.size()});
  writer.write("age_s", std::span<const double>(age_s), {age_s.size()});
  writer.write("g_S", std::span<const double>(g_S), {g_S.size()});
  writer.commit();
  const auto again = read_samples(folder_ / "small.h5");
  ASSERT_EQ(again.size(), samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i) {
    EXPECT_EQ(again[i].target_S, samples[i].target_S);
    EXPECT_EQ(again[i].age_s, samples[i].age_s);
    EXPECT_EQ(again[i].g_S, samples[i].g_S);
  }
}

TEST_F(MeasuredFiles, SaysWhatIsWrongWithAFile) {
  EXPECT_EQ(complaint(folder_ / "none.csv"), "'none.csv' cannot be read; it is to hold measured conductances.");
  EXPECT_EQ(complaint(write("empty.csv", "# nothing\n")),
            "empty.csv:1: The file holds no columns; allowed: target_S, age_s and g_S, then one line per sample.");
  EXPECT_EQ(complaint(write("header.csv", "target_S,t,g_S\n")),
            "header.csv:1: Column 'age_s' is missing in 'target_S,t,g_S'; needed are target_S, age_s and g_S.");
  EXPECT_EQ(complaint(write("short.csv", "target_S,age_s,g_S\n\n1e-6,1\n")),
            "short.csv:3: '1e-6,1' has 2 values; the header names 3 columns.");
  EXPECT_EQ(complaint(write("text.csv", "target_S,age_s,g_S\n1e-6,1,ten\n")),
            "text.csv:2: g_S = 'ten' is not a number.");
  EXPECT_EQ(complaint(write("negative.csv", "target_S,age_s,g_S\n1e-6,-1,1e-6\n")),
            "negative.csv:2: '1e-6,-1,1e-6': age_s is to be finite and not negative.");
  EXPECT_EQ(complaint(write("nan.csv", "target_S,age_s,g_S\n1e-6,1,nan\n")),
            "nan.csv:2: '1e-6,1,nan': g_S is to be finite.");
  EXPECT_EQ(complaint(write("one.csv", "target_S,age_s,g_S\n1e-6,1,1e-6\n")),
            "'one.csv' has samples of 1 target(s); a device needs two or more.");
  EXPECT_EQ(complaint(write("few.csv", small_set() + "2000, 1e-5, 10e-6\n")),
            "'few.csv' has 1 sample(s) of target 10 uS at age 2000 s; needed are 10 or more of every target at every "
            "age.");
}

TEST_F(MeasuredFiles, RefusesARangeThatWasNotMeasured) {
  EXPECT_EQ(complaint(write("small.csv", small_set())),
            "device.g_min = '5 uS' is outside the targets that 'small.csv' holds; allowed: 10 uS to 40 uS.");
}

TEST_F(MeasuredFiles, RefusesAnAgeThatWasNotMeasuredWhereAsked) {
  MeasuredParameters p;
  p.file = shipped;
  p.beyond = BeyondData::refuse;
  const auto device = p.make();
  const auto programmed = device->program(std::vector<float>{10e-6f}, address);
  EXPECT_NO_THROW(device->read(programmed, after(86400), address));
  try {
    device->read(programmed, after(2 * 86400), address);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()), "device.age = '2 day' is after the last measurement in '" + shipped.string() +
                                             "'; allowed: up to 1 day, or beyond: hold.");
  }
  p.beyond = BeyondData::hold;
  EXPECT_EQ(p.make()->read(programmed, after(1e9), address).mean_S,
            p.make()->read(programmed, after(86400), address).mean_S);
}

TEST(MeasuredDevice, ReadNoiseIsAShareOfTheConductance) {
  MeasuredParameters p;
  p.file = shipped;
  p.read_noise = 0.02;
  const auto device = p.make();
  const auto statistics = device->read(device->program(std::vector<float>{10e-6f}, address), after(60), address);
  EXPECT_FLOAT_EQ(statistics.variance_S2[0], std::pow(0.02f * statistics.mean_S[0], 2.0f));
}

}  // namespace
}  // namespace tellegen::devices
