#include "tellegen/base/output_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/base/temporary_file.h"
#include "temporary_folder.h"

namespace tellegen {
namespace {

using testing_support::content_of;
using testing_support::message_of;
using testing_support::TemporaryFolder;

TEST(WriteTextFile, MakesFoldersAndReplaces) {
  const TemporaryFolder folder;
  const auto file = folder / "out/deep/report.json";
  write_text_file(file, "first");
  write_text_file(file, std::string("a\0b\r\n", 5));
  EXPECT_EQ(content_of(file), std::string("a\0b\r\n", 5));
  EXPECT_EQ(folder.files(), 1u);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "out/deep"), {}), 1);
}

TEST(WriteTextFile, SaysWhyItCannot) {
  const TemporaryFolder folder;
  write_text_file(folder / "file", "x");
  const std::string inside = (folder / "file/report.json").string(), place = (folder / "file").string(),
                    name = (folder / "").string();
  EXPECT_EQ(message_of<InputError>([&] { write_text_file(inside, "x"); }),
            place + ": the folder cannot be made (Not a directory).");
  EXPECT_EQ(message_of<InputError>([&] { write_text_file(name, "x"); }),
            name + ": this is a folder; a result needs the name of a file.");
  EXPECT_EQ(message_of<InputError>([&] { write_text_file("/dev/full/x", "x"); }),
            "/dev/full: the folder cannot be made (Not a directory).");
}

TEST(WriteTextFile, DoesNotTakeThePlaceOfADevice) {
  const TemporaryFolder folder;
  const std::string pipe = (folder / "pipe").string();
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(message_of<InputError>([&] { write_text_file(pipe, "x"); }),
            pipe + ": this is a device or a pipe, which a result would take the place of; give the name of a file.");
  EXPECT_TRUE(std::filesystem::is_fifo(pipe));
}

TEST(TemporaryFile, SaysWhyTheSystemRefuses) {
  const TemporaryFolder folder;
  const TemporaryFile temporary(folder / "a");
  std::filesystem::create_symlink("/dev/full", temporary.path());
  EXPECT_EQ(message_of<InputError>([&] { temporary.write("x"); }),
            (folder / "a").string() + ": the file cannot be written (No space left on device).");
  EXPECT_EQ(message_of<InputError>([&] { temporary.write(std::string(1000000, 'x')); }),
            (folder / "a").string() + ": the file cannot be written (No space left on device).");
}

TEST(TemporaryFile, LeavesNothingUnlessCommitted) {
  const TemporaryFolder folder;
  {
    const TemporaryFile temporary(folder / "a");
    std::ofstream(temporary.path()) << "half";
    EXPECT_EQ(folder.files(), 1u);
    EXPECT_FALSE(std::filesystem::exists(folder / "a"));
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(CsvField, QuotesWhatNeedsIt) {
  EXPECT_EQ(csv_field("plain text"), "plain text");
  EXPECT_EQ(csv_field(""), "");
  EXPECT_EQ(csv_field("a,b"), "\"a,b\"");
  EXPECT_EQ(csv_field("say \"x\""), "\"say \"\"x\"\"\"");
  EXPECT_EQ(csv_field("two\nlines"), "\"two\nlines\"");
}

}  // namespace
}  // namespace tellegen
