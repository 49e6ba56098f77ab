#include "tellegen/sim/report/number_columns.h"

#include <gtest/gtest.h>

#include "real_run.h"
#include "tellegen/base/error.h"
#include "tellegen/sim/report/columns.h"

namespace tellegen::report {
namespace {

/// Two numbers, the second with one input; each test damages one column.
struct Columns {
  std::vector<std::string> id = {"a", "b"}, title = {"an a", "a b"};
  std::vector<double> value = {1, 2};
  std::vector<std::int64_t> input_of = {1};
  std::vector<std::string> input_name = {"the a"}, input_id = {"a"};
};

class NumberColumns : public testing::Test {
 protected:
  Numbers read(const Columns& columns) {
    {
      Hdf5Writer file(path());
      const std::vector<std::string> empty(columns.id.size());
      ColumnWriter writer(file, "numbers");
      writer.text("id", columns.id);
      writer.text("title", columns.title);
      for (const char* name : {"value", "low", "high"}) writer.real(name, columns.value, "see unit");
      for (const char* name : {"unit", "formula", "source", "warnings"}) writer.text(name, empty);
      writer.whole("input_of", columns.input_of, "index of the number");
      writer.text("input_name", columns.input_name);
      writer.real("input_value", {1}, "see input_unit");
      writer.text("input_unit", {"1"});
      writer.text("input_id", columns.input_id);
      file.commit();
    }
    return read_numbers(Hdf5Reader(path()), path());
  }
  void expect_damaged(const Columns& columns, const std::string& reason) {
    try {
      read(columns);
      FAIL() << "no error";
    } catch (const InputError& error) {
      EXPECT_EQ(error.what(), path().string() + ": the file is damaged: " + reason + ". Run the experiment again.");
    }
  }
  std::filesystem::path path() const { return folder_ / "run.h5"; }
  TemporaryFolder folder_;
};

TEST_F(NumberColumns, ThatFitTogetherAreRead) {
  const Numbers numbers = read({});
  ASSERT_EQ(numbers.all().size(), 2U);
  EXPECT_EQ(numbers.at("b").inputs.at(0).id, "a");
}

TEST_F(NumberColumns, OfDifferentLengthAreRefused) {
  Columns columns;
  columns.title = {"an a"};
  expect_damaged(columns, "'numbers/title' has 1 rows, 'numbers/id' has 2");
  columns = {};
  columns.input_id = {"a", "a"};
  expect_damaged(columns, "'numbers/input_id' has 2 rows, 'numbers/input_of' has 1");
}

TEST_F(NumberColumns, OfInputsBelongToANumber) {
  Columns columns;
  columns.input_of = {2};
  expect_damaged(columns, "'numbers/input_of' holds 2, and there are 2 numbers");
  columns.input_of = {-1};
  expect_damaged(columns, "'numbers/input_of' holds -1, and there are 2 numbers");
}

TEST_F(NumberColumns, ReferOnlyToNumbersBefore) {
  Columns columns;
  columns.input_id = {"c"};
  expect_damaged(columns, "input 'c' of 'b' is not a number before it");
  columns.input_id = {"b"};
  expect_damaged(columns, "input 'b' of 'b' is not a number before it");
}

TEST_F(NumberColumns, NameEachNumberOnce) {
  Columns columns;
  columns.id = {"a", "a"};
  columns.input_id = {""};
  expect_damaged(columns, "number 'a' is there twice");
}

}  // namespace
}  // namespace tellegen::report
