#include "tellegen/base/hdf5_file.h"

#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/resource.h>

#include <array>
#include <csignal>
#include <limits>
#include <memory>
#include <numeric>

#include "message_of.h"
#include "tellegen/base/error.h"
#include "tellegen/base/output_file.h"
#include "temporary_folder.h"

namespace tellegen {
namespace {

using testing_support::content_of;
using testing_support::message_of;
using testing_support::TemporaryFolder;

void write_sample(const std::filesystem::path& file) {
  Hdf5Writer writer(file);
  writer.write("layers/conv1/counts", std::vector<std::int64_t>{1, -2, std::numeric_limits<std::int64_t>::max()}, {3});
  writer.write("layers/conv1/values", std::vector<double>{0.1, 1e-300, -0.0, 4, 5, 6}, {2, 3});
  writer.write("layers/fc", std::vector<float>{1.5f, 2.25f}, {2, 1});
  writer.write("images", std::vector<std::uint8_t>{0, 128, 255}, {3, 1, 1});
  writer.write("names", std::vector<std::string>{"conv1", "", "µ-layer"});
  writer.write("scalar", std::vector<double>{7}, {});
  writer.write("nothing", std::vector<double>{}, {0, 4});
  writer.attribute("", "config", std::string(200000, 'x'));
  writer.attribute("", "seed", std::int64_t{42});
  writer.attribute("layers/conv1/values", "unit", "V");
  writer.attribute("layers/conv1", "share", 0.25);
  writer.attribute("layers/conv1", "share", 0.5);  // the second replaces the first
  writer.commit();
}

TEST(Hdf5File, ReturnsWhatWasWritten) {
  const TemporaryFolder folder;
  write_sample(folder / "run.h5");
  const Hdf5Reader reader(folder / "run.h5");
  EXPECT_EQ(reader.integers("layers/conv1/counts"),
            (std::vector<std::int64_t>{1, -2, std::numeric_limits<std::int64_t>::max()}));
  EXPECT_EQ(reader.doubles("layers/conv1/values"), (std::vector<double>{0.1, 1e-300, -0.0, 4, 5, 6}));
  EXPECT_EQ(reader.shape("layers/conv1/values"), (std::vector<std::uint64_t>{2, 3}));
  EXPECT_EQ(reader.doubles("layers/fc"), (std::vector<double>{1.5, 2.25}));
  EXPECT_EQ(reader.bytes("images"), (std::vector<std::uint8_t>{0, 128, 255}));
  EXPECT_EQ(reader.integers("images"), (std::vector<std::int64_t>{0, 128, 255}));
  EXPECT_EQ(reader.strings("names"), (std::vector<std::string>{"conv1", "", "µ-layer"}));
  EXPECT_EQ(reader.doubles("scalar"), std::vector<double>{7});
  EXPECT_TRUE(reader.shape("scalar").empty());
  EXPECT_TRUE(reader.doubles("nothing").empty());
  EXPECT_EQ(reader.shape("nothing"), (std::vector<std::uint64_t>{0, 4}));
  EXPECT_EQ(reader.text_attribute("", "config"), std::string(200000, 'x'));
  EXPECT_EQ(reader.number_attribute("", "seed"), 42);
  EXPECT_EQ(reader.text_attribute("layers/conv1/values", "unit"), "V");
  EXPECT_EQ(reader.number_attribute("layers/conv1", "share"), 0.5);
  EXPECT_EQ(reader.children(""), (std::vector<std::string>{"images", "layers", "names", "nothing", "scalar"}));
  EXPECT_EQ(reader.children("layers/conv1"), (std::vector<std::string>{"counts", "values"}));
  EXPECT_TRUE(reader.has("layers/conv1"));
  EXPECT_TRUE(reader.has(""));
  EXPECT_FALSE(reader.has("layers/conv2/counts"));
}

TEST(Hdf5File, CompressesLargeArrays) {
  const TemporaryFolder folder;
  std::vector<std::int64_t> data(1200 * 500);
  std::iota(data.begin(), data.end(), 0);
  {
    Hdf5Writer writer(folder / "large.h5");
    writer.write("data", data, {1200, 500});
    writer.commit();
  }
  EXPECT_LT(std::filesystem::file_size(folder / "large.h5"), data.size() * sizeof data[0] / 3);
  EXPECT_EQ(Hdf5Reader(folder / "large.h5").integers("data"), data);
}

TEST(Hdf5File, EqualContentGivesEqualBytes) {
  const TemporaryFolder folder;
  write_sample(folder / "a.h5");
  std::filesystem::create_directory(folder / "later");
  sleep(1);  // a time stamp would differ by now
  write_sample(folder / "later/b.h5");
  EXPECT_EQ(content_of(folder / "a.h5"), content_of(folder / "later/b.h5"));
}

TEST(Hdf5File, LeavesNothingUnlessCommitted) {
  const TemporaryFolder folder;
  try {
    Hdf5Writer writer(folder / "run.h5");
    writer.write("x", std::vector<double>{1}, {1});
    EXPECT_EQ(folder.files(), 0u);
    throw std::runtime_error("interrupted");
  } catch (const std::runtime_error&) {
  }
  EXPECT_EQ(folder.files(), 0u);
}

TEST(Hdf5File, KeepsTheOldFileUntilTheNewOneIsComplete) {
  const TemporaryFolder folder;
  write_sample(folder / "run.h5");
  const std::string before = content_of(folder / "run.h5");
  { Hdf5Writer writer(folder / "run.h5"); }
  EXPECT_EQ(content_of(folder / "run.h5"), before);
  write_sample(folder / "run.h5");
  EXPECT_EQ(folder.files(), 1u);
}

TEST(Hdf5File, OurOwnMistakesAreAssertions) {
  const TemporaryFolder folder;
  Hdf5Writer writer(folder / "run.h5");
  const std::vector<double> two = {1, 2};
  EXPECT_THROW(writer.write("x", two, {3}), std::logic_error);
  writer.write("x", two, {2});
  EXPECT_THROW(writer.write("x", two, {2}), std::logic_error);
  EXPECT_THROW(writer.attribute("y", "unit", "V"), std::logic_error);
}

TEST(Hdf5Reader, SaysWhatIsWrong) {
  const TemporaryFolder folder;
  write_sample(folder / "run.h5");
  write_text_file(folder / "text.h5", "not HDF5 at all");
  write_text_file(folder / "empty.h5", "");
  const std::string name = (folder / "run.h5").string();
  const auto opening = [&](const std::string& file) {
    return message_of<InputError>([&] { Hdf5Reader reader(folder / file); });
  };
  EXPECT_EQ(opening("none.h5"), (folder / "none.h5").string() + ": there is no such file.");
  EXPECT_EQ(opening("text.h5"), (folder / "text.h5").string() + ": this is not an HDF5 file.");
  EXPECT_EQ(opening("empty.h5"), (folder / "empty.h5").string() + ": this is not an HDF5 file.");
  EXPECT_EQ(opening(""), (folder / "").string() + ": this is a folder; a file is needed.");
  EXPECT_EQ(message_of<InputError>([] { Hdf5Reader reader("/dev/null"); }),
            "/dev/null: this is not a regular file; a device or a pipe cannot be read here.");

  const Hdf5Reader reader(name);
  const auto error = [&](auto&& action) { return message_of<InputError>([&] { action(reader); }); };
  EXPECT_EQ(error([](const auto& r) { r.doubles("layers/conv9/counts"); }),
            name + ": there is no dataset 'layers/conv9/counts'.");
  EXPECT_EQ(error([](const auto& r) { r.doubles("layers"); }), name + ": 'layers' is not a dataset.");
  EXPECT_EQ(error([](const auto& r) { r.doubles("names"); }), name + ": dataset 'names' does not hold numbers.");
  EXPECT_EQ(error([](const auto& r) { r.integers("layers/fc"); }),
            name + ": dataset 'layers/fc' does not hold whole numbers.");
  EXPECT_EQ(error([](const auto& r) { r.bytes("layers/conv1/counts"); }),
            name + ": dataset 'layers/conv1/counts' does not hold bytes (unsigned, 8 bit).");
  EXPECT_EQ(error([](const auto& r) { r.strings("images"); }), name + ": dataset 'images' does not hold texts.");
  EXPECT_EQ(error([](const auto& r) { r.children("images"); }), name + ": 'images' is not a group.");
  EXPECT_EQ(error([](const auto& r) { r.children("imagez"); }), name + ": there is no group 'imagez'.");
  EXPECT_EQ(error([](const auto& r) { r.text_attribute("images", "unit"); }),
            name + ": 'images' has no attribute 'unit'.");
  EXPECT_EQ(error([](const auto& r) { r.text_attribute("", "seed"); }),
            name + ": attribute 'seed' of '/' is not a text.");
  EXPECT_EQ(error([](const auto& r) { r.number_attribute("", "config"); }),
            name + ": attribute 'config' of '/' is not a number.");
}

/// While it lives, a file that grows over `bytes` fails as on a full disk, with another reason.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) : old_handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit limit{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  void (*old_handler_)(int);
  rlimit old_{};
};

TEST(Hdf5File, AFullDiskIsAnInputErrorAndLeavesNothing) {
  const TemporaryFolder folder;
  std::string message;
  {
    const FileSizeLimit limit(100000);
    message = message_of<InputError>([&] { write_sample(folder / "run.h5"); });
  }
  EXPECT_EQ(message, (folder / "run.h5").string() + ": the file cannot be written (File too large).");
  EXPECT_EQ(folder.files(), 0u);
  write_sample(folder / "run.h5");  // nothing of the failure is left in the library
  EXPECT_EQ(Hdf5Reader(folder / "run.h5").number_attribute("", "seed"), 42);
}

TEST(Hdf5Reader, SeveralFilesAtATime) {
  const TemporaryFolder folder;
  write_sample(folder / "a.h5");
  const auto first = std::make_unique<Hdf5Reader>(folder / "a.h5");
  auto second = std::make_unique<Hdf5Reader>(folder / "a.h5");
  EXPECT_EQ(first->doubles("scalar"), second->doubles("scalar"));
  second.reset();
  EXPECT_EQ(first->strings("names").size(), 3u);
}

/// Reads everything that write_sample wrote; may throw InputError, must not do anything else.
void read_sample(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  reader.children("layers/conv1");
  reader.integers("layers/conv1/counts");
  reader.doubles("layers/conv1/values");
  reader.bytes("images");
  reader.strings("names");
  reader.text_attribute("", "config");
}

TEST(Hdf5Reader, SurvivesCutFiles) {
  const TemporaryFolder folder;
  write_sample(folder / "run.h5");
  const std::string whole = content_of(folder / "run.h5");
  for (std::size_t length = 0; length < whole.size(); length += whole.size() / 97) {
    write_text_file(folder / "cut.h5", std::string_view(whole).substr(0, length));
    EXPECT_THROW(read_sample(folder / "cut.h5"), InputError) << length;
  }
}

TEST(Hdf5Reader, RefusesDataThatWereNeverWritten) {
  const TemporaryFolder folder;
  const std::string name = (folder / "promise.h5").string();
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const std::array<hsize_t, 2> extent = {1 << 20, 1 << 20};
  const hid_t space = H5Screate_simple(2, extent.data(), nullptr);
  H5Dclose(H5Dcreate2(file, "x", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
  H5Fclose(file);
  EXPECT_EQ(message_of<InputError>([&] { Hdf5Reader(name).doubles("x"); }),
            name + ": dataset 'x' cannot be read; its data are missing.");
}

TEST(Hdf5Reader, ReadsTextsOfFixedLength) {
  const TemporaryFolder folder;
  const std::string name = (folder / "fixed.h5").string();
  const hid_t file = H5Fcreate(name.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, 4);
  H5Tset_strpad(type, H5T_STR_NULLPAD);
  const hsize_t extent = 2;
  const hid_t space = H5Screate_simple(1, &extent, nullptr);
  const hid_t dataset = H5Dcreate2(file, "x", type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, "ab\0\0abcd");
  H5Dclose(dataset);
  H5Sclose(space);
  H5Tclose(type);
  H5Fclose(file);
  EXPECT_EQ(Hdf5Reader(name).strings("x"), (std::vector<std::string>{"ab", "abcd"}));
}

}  // namespace
}  // namespace tellegen
