#pragma once
// The kinds of test sets, each with its reader; only test_set.cpp chooses among them.

#include "tellegen/base/hdf5_file.h"
#include "tellegen/models/test_set.h"

namespace tellegen::models {

std::unique_ptr<TestSet> load_image_set(const std::filesystem::path& file, const Network& network);
std::unique_ptr<TestSet> load_token_set(const Hdf5Reader& reader, const std::filesystem::path& file,
                                        const Network& network);
std::unique_ptr<TestSet> load_line_set(const Hdf5Reader& reader, const std::filesystem::path& file,
                                       const Network& network);
std::unique_ptr<TestSet> load_sound_set(const Hdf5Reader& reader, const std::filesystem::path& file,
                                        const Network& network, std::optional<double> snr_db);

/// Column `which` of [samples][columns] scores.
std::vector<double> column(std::span<const double> scores, std::size_t columns, std::size_t which);
/// Throws InputError unless shapes agree, the batch aside.
void check_shape(const std::filesystem::path& file, const std::string& what, const Shape& holds, const Shape& wanted);

}  // namespace tellegen::models
