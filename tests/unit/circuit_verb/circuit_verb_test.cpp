// tellegen circuit, in this process: what it prints, what it refuses, what it writes.

#include <gmock/gmock.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "tellegen/sim/cli/program.h"

namespace tellegen::cli {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

struct Outcome {
  int code;
  std::string out, err;
};

Outcome run(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), {"tellegen", "circuit"});
  std::ostringstream out, err;
  const int code = run_program(static_cast<int>(arguments.size()), arguments.data(), out, err);
  return {code, out.str(), err.str()};
}

/// An empty working directory, removed at the end.
class CircuitVerb : public testing::Test {
 protected:
  void SetUp() override {
    before_ = fs::current_path();
    std::string name = (fs::temp_directory_path() / "tellegen-circuit-XXXXXX").string();
    folder_ = mkdtemp(name.data());
    fs::current_path(folder_);
  }
  void TearDown() override {
    fs::current_path(before_);
    fs::remove_all(folder_);
  }
  /// Exit code, this message, nothing printed, nothing left behind.
  void expect_refused(const std::vector<const char*>& arguments, int code, const std::string& message) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    EXPECT_THAT(outcome.err, HasSubstr(message));
    EXPECT_EQ(outcome.out, "");
    EXPECT_TRUE(fs::is_empty(folder_));
  }

 private:
  fs::path before_, folder_;
};

TEST_F(CircuitVerb, ListsEveryKind) {
  const Outcome outcome = run({"list"});
  EXPECT_EQ(outcome.code, kDone);
  for (const char* text :
       {"front-ends\n", "softmax circuits\n", "crossings\n", "memglu_translinear", "softmax_tree", "gilbert_multiplier",
        "differential_pair", "protocols of all: transfer, error, mismatch, noise, energy, temperature"}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
}

TEST_F(CircuitVerb, DescribesOne) {
  const Outcome outcome = run({"describe", "memglu_memristor"});
  EXPECT_EQ(outcome.code, kDone);
  for (const char* text : {"memglu_memristor: front-end\n", "equations\n", "source\n", "front_end.drive.frequency",
                           "front_end.drive.memristor.model", "front_end: {circuit: memglu_memristor}"}) {
    EXPECT_THAT(outcome.out, HasSubstr(text));
  }
  EXPECT_THAT(outcome.out, testing::Not(HasSubstr("signed_tail")));
}

TEST_F(CircuitVerb, MeasuresOneAndWritesTables) {
  const Outcome outcome = run({"characterize", "softmax_array", "--protocol", "transfer", "--out", "here", "--set",
                               "bias=1 nA", "--temperature", "330 K"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("wrote transfer.h5, transfer_transfer.csv to here"));
  EXPECT_TRUE(fs::exists("here/transfer.h5"));
  EXPECT_TRUE(fs::exists("here/transfer_transfer.csv"));
}

TEST_F(CircuitVerb, WritesANetlist) {
  const Outcome outcome = run({"spice", "memglu_translinear", "--out", "here"});
  EXPECT_EQ(outcome.code, kDone) << outcome.err;
  EXPECT_THAT(outcome.out, HasSubstr("memglu_translinear at x = 0.8814, the peak of the gate"));
  EXPECT_THAT(outcome.out, HasSubstr("wrote memglu_translinear.cir to here"));
  EXPECT_TRUE(fs::exists("here/memglu_translinear.cir"));
}

TEST_F(CircuitVerb, RefusesWithExitCodes) {
  expect_refused({"describe", "memglu_pair"}, kWrongInput, "'memglu_pair' is not a known circuit; did you mean");
  expect_refused({"characterize", "softmax_array", "--protocol", "iv"}, kWrongInput,
                 "--protocol = 'iv' is not a protocol of circuits");
  expect_refused({"characterize", "softmax_array", "--protocol", "noise", "--temperature", "27 V"}, kWrongInput,
                 "--temperature = '27 V' ");
  expect_refused({"characterize", "softmax_array", "--protocol", "noise", "--temperature", "4 K"}, kWrongInput,
                 "--temperature = '4 K' is out of range; allowed: 200 K to 450 K.");
  expect_refused({"characterize", "memglu_translinear", "--protocol", "transfer", "--set", "supply=0.7 V"}, kRefused,
                 "The translinear gate has no headroom");
  expect_refused({"characterize", "softmax_array", "--protocol", "noise", "--plot", "a.pdf"}, kWrongInput, ".svg");
}

}  // namespace
}  // namespace tellegen::cli
