// tellegen validate, as typed.

#include <gmock/gmock.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tellegen/sim/cli/program.h"

namespace tellegen::cli {
namespace {

using testing::HasSubstr;
using testing::StrEq;

struct Answer {
  int code;
  std::string out, err;
};

Answer type(std::vector<const char*> words) {
  words.insert(words.begin(), "tellegen");
  std::ostringstream out, err;
  const int code = run_program(static_cast<int>(words.size()), words.data(), out, err);
  return {code, out.str(), err.str()};
}

TEST(ValidateVerb, PrintsTheTableAndWritesEveryNumber) {
  const std::string csv = testing::TempDir() + "macros.csv";
  const Answer answer = type({"validate", TELLEGEN_SOURCE_DIR "/configs/macros", "--csv", csv.c_str()});
  EXPECT_EQ(answer.code, 0) << answer.err;
  EXPECT_THAT(answer.out, HasSubstr("uncalibrated, verified figures: energy mean"));
  EXPECT_THAT(answer.out, HasSubstr("wrote " + csv));
  std::string header;
  std::ifstream file(csv);
  std::getline(file, header);
  EXPECT_THAT(header, HasSubstr("macro,point,source"));
}

TEST(ValidateVerb, AWrongFolderIsTheUsersError) {
  const Answer answer = type({"validate", "nowhere"});
  EXPECT_EQ(answer.code, 2);
  EXPECT_THAT(answer.err,
              StrEq("tellegen: error: 'nowhere' is not a folder; macros are YAML files in a folder, for example "
                    "configs/macros.\n"));
}

}  // namespace
}  // namespace tellegen::cli
