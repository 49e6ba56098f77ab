#include "tellegen/sim/report/output_folder.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <fstream>

#include "hand_made.h"
#include "real_run.h"
#include "tellegen/base/error.h"
#include "tellegen/base/output_file.h"
#include "tellegen/base/temporary_file.h"
#include "tellegen/sim/report/run_output.h"

namespace tellegen::report {
namespace {

namespace fs = std::filesystem;
using testing::UnorderedElementsAre;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder))
    names.push_back(entry.path().filename().string());
  return names;
}

TEST(OutputFolder, LeavesNothingWithoutCommit) {
  const TemporaryFolder place;
  {
    OutputFolder output(place / "result");
    write_text_file(output.staged("a.csv"), "1\n");
  }
  EXPECT_TRUE(names_in(place.path()).empty());
}

TEST(OutputFolder, ThatExistsIsAllThatIsWrittenTo) {
  const TemporaryFolder place;
  fs::create_directories(place / "result");
  OutputFolder output(place / "result");
  EXPECT_EQ(output.staged("a.csv").parent_path().parent_path(), fs::absolute(place / "result"));
  write_text_file(output.staged("a.csv"), "1");
  output.commit();
  EXPECT_THAT(names_in(place / "result"), UnorderedElementsAre("a.csv"));
}

TEST(OutputFolder, NamesTheFolderThatWasAskedForWhereTheDiskIsFull) {
  const TemporaryFolder place;
  const OutputFolder output(place / "result");
  try {
    output.write("a.csv", [](const fs::path& file) {
      const TemporaryFile temporary(file);
      fs::create_symlink("/dev/full", temporary.path());
      temporary.write("1\n");
    });
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(),
              (place / "result/a.csv").string() + ": the file cannot be written (No space left on device).");
  }
}

TEST(OutputFolder, MovesAllFilesAndKeepsOthers) {
  const TemporaryFolder place;
  fs::create_directories(place / "result");
  write_text_file(place / "result/notes.txt", "mine");
  write_text_file(place / "result/a.csv", "old");
  OutputFolder output(place / "result/");
  write_text_file(output.staged("a.csv"), "new");
  write_text_file(output.staged("b.csv"), "2");
  output.commit();
  EXPECT_THAT(names_in(place.path()), UnorderedElementsAre("result"));
  EXPECT_THAT(names_in(place / "result"), UnorderedElementsAre("a.csv", "b.csv", "notes.txt"));
  std::ifstream file(place / "result/a.csv");
  std::string text;
  file >> text;
  EXPECT_EQ(text, "new");
}

TEST(OutputFolder, InPlaceOfAFileIsRefused) {
  const TemporaryFolder place;
  write_text_file(place / "result", "a file");
  const std::string wanted = (place / "result").string();
  try {
    require_writable(place / "result");
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), wanted + ": results cannot be written here: '" + wanted +
                                "' is a file, not a folder. Choose another place with --out.");
  }
  EXPECT_THROW(OutputFolder(place / "result/deeper"), InputError);
}

TEST(OutputFolder, WithAFolderInPlaceOfAResultIsRefusedBeforeAnythingIsMoved) {
  const TemporaryFolder place;
  fs::create_directories(place / "result/run.h5/deep");
  write_text_file(place / "result/a.csv", "old");
  const std::string wanted = (place / "result").string();
  const std::string message = wanted + ": results cannot be written here: '" + wanted +
                              "/run.h5' is a folder, not a file. Remove it. Choose another place with --out.";
  try {
    require_writable(place / "result", {"a.csv", "run.h5"});
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), message);
  }
  try {
    OutputFolder output(place / "result");
    write_text_file(output.staged("a.csv"), "new");
    write_text_file(output.staged("run.h5"), "new");
    output.commit();
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), message);
  }
  EXPECT_THAT(names_in(place.path()), UnorderedElementsAre("result"));
  EXPECT_THAT(names_in(place / "result"), UnorderedElementsAre("a.csv", "run.h5"));
  std::ifstream file(place / "result/a.csv");
  std::string text;
  file >> text;
  EXPECT_EQ(text, "old");
}

TEST(OutputFolder, WithANameThatIsTooLongIsRefused) {
  const TemporaryFolder place;
  EXPECT_NO_THROW(require_writable(place / std::string(240, 'x')));
  const std::string wanted = (place / std::string(241, 'x')).string();
  try {
    require_writable(wanted);
    FAIL() << "no error";
  } catch (const InputError& error) {
    EXPECT_EQ(error.what(), wanted +
                                ": results cannot be written here: a name in it is longer than 240 characters. "
                                "Choose another place with --out.");
  }
}

TEST(OutputFolder, PutsEarlierResultsBackWhereAFileCannotBeMoved) {
  const TemporaryFolder place;
  for (const char* name : {"a.csv", "b.csv", "c.csv"}) write_text_file(place / (std::string("result/") + name), "old");
  {
    OutputFolder output(place / "result");
    for (const char* name : {"a.csv", "b.csv", "c.csv", "d.csv"}) write_text_file(output.staged(name), "new");
    fs::create_directories(output.staged(".replaced/b.csv/in the way"));  // where b.csv would be kept
    EXPECT_THROW(output.commit(), InputError);
  }
  EXPECT_THAT(names_in(place / "result"), UnorderedElementsAre("a.csv", "b.csv", "c.csv"));
  for (const char* name : {"a.csv", "b.csv", "c.csv"}) {
    std::ifstream file(place / (std::string("result/") + name));
    std::string text;
    file >> text;
    EXPECT_EQ(text, "old") << name;
  }
}

TEST(RunOutput, ThatFailsHalfwayLeavesNothing) {
  const TemporaryFolder place;
  sim::RunResult result = hand_made_result();
  const Report report = make_report(result);
  result.chips[1].predictions.pop_back();  // does not fit the samples: run.h5 cannot be finished
  EXPECT_THROW(write_run_output(place / "result", result, report), std::logic_error);
  EXPECT_TRUE(names_in(place.path()).empty());
}

TEST(RunOutput, WritesThreeFiles) {
  const TemporaryFolder place;
  const sim::RunResult result = hand_made_result();
  write_run_output(place / "deep/result", result, make_report(result));
  EXPECT_THAT(names_in(place / "deep/result"), UnorderedElementsAre("run.h5", "report.json", "layers.csv"));
  EXPECT_THAT(names_in(place / "deep"), UnorderedElementsAre("result"));
}

}  // namespace
}  // namespace tellegen::report
