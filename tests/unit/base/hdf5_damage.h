#pragma once
// Files with changed bytes, on many of which the HDF5 library crashes: all must be read or refused.

#include <gtest/gtest.h>

#include <random>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/output_file.h"
#include "temporary_folder.h"

namespace tellegen::testing_support {

/// Of all kinds that our files have: texts, attributes, small arrays, compressed arrays, groups in groups.
inline void write_all_kinds(const std::filesystem::path& file) {
  Hdf5Writer writer(file);
  std::vector<std::string> names;
  for (int i = 0; i < 60; ++i) names.push_back("number " + std::to_string(i * i * i));
  writer.write("numbers/name", names);
  std::vector<double> values(60);
  std::vector<std::int64_t> large(10000);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::int64_t>(i * i % 1009);
  writer.write("numbers/value", values, {60});
  writer.write("layers/deep/large", large, {100, 100});
  writer.write("bytes", std::vector<std::uint8_t>(100, 7), {10, 10});
  writer.attribute("numbers/value", "unit", "V");
  writer.attribute("", "config", std::string(500, 'c'));
  writer.attribute("", "seed", std::int64_t{1});
  writer.commit();
}

/// Everything that the file holds.
inline void read_all(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  for (const char* group : {"", "numbers", "layers/deep"}) reader.children(group);
  reader.text_attribute("", "config");
  reader.number_attribute("", "seed");
  reader.strings("numbers/name");
  reader.doubles("numbers/value");
  reader.text_attribute("numbers/value", "unit");
  reader.integers("layers/deep/large");
  reader.bytes("bytes");
}

/// Changes twelve bytes at random, `files` times.
inline void expect_damage_is_read_or_refused(int files) {
  const TemporaryFolder folder;
  write_all_kinds(folder / "whole.h5");
  ASSERT_NO_THROW(read_all(folder / "whole.h5"));
  const std::string whole = content_of(folder / "whole.h5");
  std::mt19937 random(11);
  int refused = 0;
  for (int trial = 0; trial < files; ++trial) {
    std::string bytes = whole;
    for (int edits = 0; edits < 12; ++edits)
      bytes[random() % bytes.size()] = random() % 2 == 0 ? '\xFF' : static_cast<char>(random());
    write_text_file(folder / "damaged.h5", bytes);
    try {
      read_all(folder / "damaged.h5");
    } catch (const InputError& error) {
      ++refused;
      ASSERT_TRUE(std::string(error.what()).starts_with((folder / "damaged.h5").string() + ": ")) << error.what();
    }
  }
  EXPECT_GT(refused, files / 2);
  EXPECT_LT(refused, files);
}

}  // namespace tellegen::testing_support
