// What people read when a model names data that are not there, or claims more than it holds: exact text, no crash and no
// memory.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include "fault.h"
#include "tellegen/models/executor.h"

namespace tellegen::models {
namespace {

/// The weights of linear() in another file.
OnnxBuilder external(const std::string& location, const std::string& offset = "", const std::string& length = "") {
  OnnxBuilder model = linear();
  auto* tensor = model.wire().mutable_graph()->mutable_initializer(0);
  tensor->clear_float_data();
  tensor->clear_raw_data();
  tensor->set_data_location(1);
  const auto add = [tensor](const std::string& key, const std::string& value) {
    if (value.empty()) return;
    auto* entry = tensor->add_external_data();
    entry->set_key(key);
    entry->set_value(value);
  };
  add("location", location);
  add("offset", offset);
  add("length", length);
  return model;
}

std::string six_floats() {
  const std::vector<float> weights{1, 2, 3, 4, 5, 6};
  return {reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(float)};
}

TEST(ExternalData, IsReadFromBesideTheModel) {
  const std::string name = write_bytes("weights.bin", "xxxx" + six_floats()).filename().string();
  const Network network = import_onnx(external(name, "4", "24").file());
  EXPECT_EQ(execute(network, {{1, 2}, {1, 10}}).data, (std::vector<float>{41, 52, 63}));
  EXPECT_EQ(message(external(name, "4").file()), "no error") << "to the end of the file";
}

TEST(ExternalData, ThatIsMissingOrOutsideOrTooShort) {
  const std::string name = write_bytes("weights.bin", six_floats()).filename().string();
  EXPECT_EQ(
      fault(external("gone.bin")),
      "node 'fc' (MatMul) reads 'w', which keeps its data in 'gone.bin': there is no such file. Put it beside the "
      "model.");
  EXPECT_EQ(
      fault(external("")),
      "node 'fc' (MatMul) reads 'w', which keeps its data in another file that it does not name. Export the model "
      "again.");
  for (const char* outside : {"/etc/hostname", "../../etc/hostname", "../../../../../../etc/hostname"})
    EXPECT_EQ(fault(external(outside)), "node 'fc' (MatMul) reads 'w', which keeps its data in '" +
                                            std::string(outside) +
                                            "', outside of the model's folder. Put it beside the model.")
        << outside;
  EXPECT_EQ(fault(external(name, "8", "24")),
            "node 'fc' (MatMul) reads 'w', which keeps its data in '" + name +
                "', which has 24 bytes, fewer than the model says (offset '8', length '24'). Copy the file again.");
  EXPECT_THAT(fault(external(name, "99999999999999999999")), testing::HasSubstr("fewer than the model says"));
  EXPECT_THAT(fault(external(name, "0", "20")), testing::HasSubstr("claims shape '2x3' of float"));
}

TEST(ExternalData, ThroughALinkOutOfTheFolder) {
  const std::filesystem::path link = temporary_path("link.bin");
  std::filesystem::remove(link);
  std::filesystem::create_symlink("/etc/hostname", link);
  EXPECT_THAT(fault(external(link.filename().string())), testing::HasSubstr("outside of the model's folder"));
}

/// Small files that claim gigabytes: refused, and nothing of that size is ever asked for (the process may not grow by
/// 256 MB).
class AbsurdClaim : public testing::Test {
 protected:
  static long peak_kB() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
  }
  void TearDown() override { EXPECT_LT(peak_kB() - before_, 256 * 1024); }
  long before_ = peak_kB();
};

TEST_F(AbsurdClaim, OfAnInitialiser) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 2}).floats("w", {2, 1LL << 28}, {1, 2}).node("MatMul", {"x", "w"}, "y", "fc")),
            "node 'fc' (MatMul) reads 'w', which claims shape '2x268435456' of float, which is not what its data "
            "holds. The file is "
            "damaged: export the model again.");
  EXPECT_THAT(
      fault(OnnxBuilder({-1, 2}).floats("w", {1LL << 33, 1LL << 33}, {1, 2}).node("MatMul", {"x", "w"}, "y", "fc")),
      testing::HasSubstr("claims shape '8589934592x8589934592' of float"));
  EXPECT_THAT(fault(OnnxBuilder({-1, 2}).floats("w", {-2, -1}, {1, 2}).node("MatMul", {"x", "w"}, "y", "fc")),
              testing::HasSubstr("which is not what its data holds"));
}

TEST_F(AbsurdClaim, OfTheInput) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 1LL << 40, 1LL << 40}).node("Relu", {"x"}, "y")),
            "input 'x' would make a tensor of shape 'Nx1099511627776x1099511627776'; at most 268435456 elements per "
            "sample are supported.");
}

TEST_F(AbsurdClaim, OfPads) {
  EXPECT_EQ(fault(OnnxBuilder({-1, 1, 3, 3})
                      .floats("w", {1, 1, 1, 1}, {1})
                      .node("Conv", {"x", "w"}, "y", "c")
                      .attribute("pads", std::vector<std::int64_t>{60000, 60000, 60000, 60000})),
            "node 'c' (Conv) would make a tensor of shape 'Nx1x120003x120003'; at most 268435456 elements per sample "
            "are supported.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 1, 3, 3})
                      .floats("w", {1, 1, 1, 1}, {1})
                      .node("Conv", {"x", "w"}, "y", "c")
                      .attribute("pads", std::vector<std::int64_t>{0, 0, 0, 1LL << 40})),
            "node 'c' (Conv) has pads '0x0x0x1099511627776'; four numbers from 0 to 65536 are allowed.");
}

TEST_F(AbsurdClaim, OfSizesThatAreComputed) {
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 2})
                .integers("s", {1LL << 20, 1LL << 20})
                .node("ConstantOfShape", {"s"}, "c", "fill")
                .node("Add", {"x", "c"}, "y")),
      "node 'fill' (ConstantOfShape) would make a tensor of shape '1048576x1048576'; at most 268435456 elements per "
      "sample are supported.");
  EXPECT_EQ(
      fault(OnnxBuilder({-1, 1}).integers("s", {1, 1LL << 40}).node("Expand", {"x", "s"}, "y", "wide")),
      "node 'wide' (Expand) would make a tensor of shape '1x1099511627776'; at most 268435456 elements per sample "
      "are supported.");
  EXPECT_EQ(fault(OnnxBuilder({-1, 1})
                      .integers("many", {1LL << 40})
                      .integers("one", {1})
                      .integers("zero", {0})
                      .node("Range", {"zero", "many", "one"}, "r", "count")
                      .node("Cast", {"r"}, "f")
                      .attribute("to", 1)
                      .node("Add", {"x", "f"}, "y")),
            "node 'count' (Range) counts over the batch or too far.");
}

TEST_F(AbsurdClaim, OfConstantsThatAreCombined) {
  const std::vector<float> many(100000, 1);
  EXPECT_EQ(fault(OnnxBuilder({-1, 1, 1})
                      .floats("a", {100000, 1}, many)
                      .floats("b", {1, 100000}, many)
                      .node("Add", {"a", "b"}, "c", "sum")
                      .node("Add", {"x", "c"}, "y")),
            "node 'sum' (Add) would make a tensor of shape '100000x100000'; at most 268435456 elements per sample are "
            "supported.");
}

}  // namespace
}  // namespace tellegen::models
