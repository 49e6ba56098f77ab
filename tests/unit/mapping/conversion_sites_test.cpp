// What `tellegen convert` shows: sites of a network with their gates.

#include "tellegen/mapping/conversion.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tellegen/models/gating/forms.h"
#include "tellegen/models/onnx/import.h"

namespace tellegen::mapping {
namespace {

std::vector<ConversionSite> sites_of(const std::string& name) {
  return conversion_sites(models::import_onnx(std::string(TELLEGEN_SOURCE_DIR) + "/models/trained/" + name + ".onnx"));
}

/// MBConv blocks: SiLU in front of convolutions may move; squeeze-and-excite multiplies and averages, so nothing moves there.
TEST(ConversionSites, FollowTheRulesInMobileBlocks) {
  const std::vector<ConversionSite> sites = sites_of("mbnet_fashion");
  ASSERT_EQ(sites.size(), 22U);
  for (const ConversionSite& site : sites) {
    ASSERT_TRUE(site.gate.has_value()) << site.activation;
    EXPECT_EQ(site.error, 0) << site.activation;
    EXPECT_EQ(site.parameters, 2) << "one threshold and one sharpness";
    EXPECT_EQ(site.legal, site.reader.find("Conv") != std::string::npos) << site.reader;
    if (site.function == "sigmoid") {
      EXPECT_FALSE(site.legal) << "the excitation is multiplied with the channels";
    }
  }
  EXPECT_EQ(std::count_if(sites.begin(), sites.end(), [](const ConversionSite& site) { return site.legal; }), 9);
}

/// GELU takes three branches; the largest error of the fit is that of its form in the catalogue.
TEST(ConversionSites, SayHowFarGeluIsOff) {
  const std::vector<ConversionSite> sites = sites_of("vit_mnist");
  ASSERT_EQ(sites.size(), 4U);
  for (const ConversionSite& site : sites) {
    ASSERT_TRUE(site.gate.has_value());
    EXPECT_TRUE(site.legal);
    EXPECT_EQ(site.gate->branches(), 3U);
    const double stated = models::gating::form_named("gelu_k3_tails_normal_1").errors.maximum;
    EXPECT_NEAR(site.error, stated, 0.01 * stated);
    EXPECT_EQ(site.parameters, 3) << "two thresholds and a sharpness";
  }
}

}  // namespace
}  // namespace tellegen::mapping
