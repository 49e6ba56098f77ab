#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/hdf5_handle.h"
#include "tellegen/base/temporary_file.h"

namespace tellegen {
namespace {

using detail::Handle;

constexpr std::size_t compress_from_bytes = 64 * 1024;
constexpr std::uint64_t chunk_bytes = 1024 * 1024;
constexpr std::size_t memory_step_bytes = 1024 * 1024;

/// Rows of the first dimensions are split until a chunk holds about a megabyte.
std::vector<hsize_t> chunk_shape(const std::vector<std::uint64_t>& shape, std::uint64_t element_bytes) {
  std::vector<hsize_t> chunk(shape.begin(), shape.end());
  std::uint64_t bytes = element_bytes;
  for (const hsize_t n : chunk) bytes *= n;
  for (hsize_t& n : chunk) {
    if (bytes <= chunk_bytes) break;
    const std::uint64_t row_bytes = bytes / n;
    n = std::clamp<hsize_t>(chunk_bytes / row_bytes, 1, n);
    bytes = row_bytes * n;
  }
  return chunk;
}

/// Creation properties: no time stamps, so that equal content gives equal bytes; large arrays are compressed.
Handle dataset_properties(const std::vector<std::uint64_t>& shape, std::size_t elements, std::size_t element_bytes) {
  Handle properties(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Pset_obj_track_times(properties, false);
  if (elements * element_bytes > compress_from_bytes) {
    const auto chunk = chunk_shape(shape, element_bytes);
    H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data());
    H5Pset_shuffle(properties);
    H5Pset_deflate(properties, 1);
  }
  return properties;
}

Handle space_of(const std::vector<std::uint64_t>& shape) {
  if (shape.empty()) return {H5Screate(H5S_SCALAR), H5Sclose};
  const std::vector<hsize_t> extent(shape.begin(), shape.end());
  return {H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr), H5Sclose};
}

/// The only way to fail: the file is built in memory.
[[noreturn]] void out_of_memory(const std::filesystem::path& name, const std::string& path) {
  throw InputError(fmt::format("{}: there is not enough memory for '{}'.", name.string(), path));
}

/// The bytes of the file.
std::string image_of(hid_t file) {
  TELLEGEN_ASSERT(H5Fflush(file, H5F_SCOPE_GLOBAL) >= 0);
  const ssize_t size = H5Fget_file_image(file, nullptr, 0);
  TELLEGEN_ASSERT(size >= 0);
  std::string bytes(static_cast<std::size_t>(size), '\0');
  TELLEGEN_ASSERT(H5Fget_file_image(file, bytes.data(), bytes.size()) == size);
  return bytes;
}

void make_groups(hid_t file, const std::string& path) {
  for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    const std::string group = path.substr(0, slash);
    if (detail::object_exists(file, group)) continue;
    const Handle properties(H5Pcreate(H5P_GROUP_CREATE), H5Pclose);
    H5Pset_obj_track_times(properties, false);
    const Handle made(H5Gcreate2(file, group.c_str(), H5P_DEFAULT, properties, H5P_DEFAULT), H5Gclose);
    TELLEGEN_ASSERT(made.valid());
  }
}

void write_data(hid_t file, const std::string& path, hid_t memory_type, hid_t file_type, const void* data,
                std::size_t elements, const std::vector<std::uint64_t>& shape, const std::filesystem::path& name) {
  std::uint64_t product = 1;
  for (const std::uint64_t n : shape) product *= n;
  TELLEGEN_ASSERT(product == elements);
  TELLEGEN_ASSERT(!path.empty() && !detail::object_exists(file, path));
  make_groups(file, path);
  const Handle properties = dataset_properties(shape, elements, H5Tget_size(file_type));
  const Handle space = space_of(shape);
  const Handle dataset(H5Dcreate2(file, path.c_str(), file_type, space, H5P_DEFAULT, properties, H5P_DEFAULT),
                       H5Dclose);
  const bool written =
      dataset.valid() && (elements == 0 || H5Dwrite(dataset, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  if (!written) out_of_memory(name, path);
}

void write_attribute(hid_t file, const std::string& path, const std::string& name, hid_t type, hid_t file_type,
                     const void* value, const std::filesystem::path& file_name) {
  const Handle object(H5Oopen(file, detail::object_path(path).c_str(), H5P_DEFAULT), H5Oclose);
  TELLEGEN_ASSERT(object.valid());
  if (H5Aexists(object, name.c_str()) > 0) H5Adelete(object, name.c_str());
  const Handle space(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle attribute(H5Acreate2(object, name.c_str(), file_type, space, H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid() || H5Awrite(attribute, type, value) < 0) out_of_memory(file_name, path);
}

}  // namespace

Hdf5Writer::Hdf5Writer(const std::filesystem::path& file) : output_(std::make_unique<TemporaryFile>(file)) {
  detail::silence_hdf5();
  // In memory: the library cannot close a file that it cannot write, and crashes at the end of the program.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_fapl_core(access, memory_step_bytes, false);
  file_ = H5Fcreate(output_->path().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access);
  TELLEGEN_ASSERT(file_ >= 0);
}

Hdf5Writer::~Hdf5Writer() {
  if (file_ >= 0) H5Fclose(file_);
}

void Hdf5Writer::write(const std::string& path, std::span<const double> data, const std::vector<std::uint64_t>& shape) {
  write_data(file_, path, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, data.data(), data.size(), shape, output_->final_path());
}

void Hdf5Writer::write(const std::string& path, std::span<const float> data, const std::vector<std::uint64_t>& shape) {
  write_data(file_, path, H5T_NATIVE_FLOAT, H5T_IEEE_F32LE, data.data(), data.size(), shape, output_->final_path());
}

void Hdf5Writer::write(const std::string& path, std::span<const std::int64_t> data,
                       const std::vector<std::uint64_t>& shape) {
  write_data(file_, path, H5T_NATIVE_INT64, H5T_STD_I64LE, data.data(), data.size(), shape, output_->final_path());
}

void Hdf5Writer::write(const std::string& path, std::span<const std::uint8_t> data,
                       const std::vector<std::uint64_t>& shape) {
  write_data(file_, path, H5T_NATIVE_UINT8, H5T_STD_U8LE, data.data(), data.size(), shape, output_->final_path());
}

void Hdf5Writer::write(const std::string& path, std::span<const std::string> data) {
  std::vector<const char*> pointers;
  for (const std::string& text : data) {
    TELLEGEN_ASSERT(text.find('\0') == std::string::npos);
    pointers.push_back(text.c_str());
  }
  const Handle type = detail::text_type();
  write_data(file_, path, type, type, pointers.data(), data.size(), {data.size()}, output_->final_path());
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name, const std::string& value) {
  const char* text = value.c_str();
  const Handle type = detail::text_type();
  write_attribute(file_, path, name, type, type, &text, output_->final_path());
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name, double value) {
  write_attribute(file_, path, name, H5T_NATIVE_DOUBLE, H5T_IEEE_F64LE, &value, output_->final_path());
}

void Hdf5Writer::attribute(const std::string& path, const std::string& name, std::int64_t value) {
  write_attribute(file_, path, name, H5T_NATIVE_INT64, H5T_STD_I64LE, &value, output_->final_path());
}

void Hdf5Writer::commit() {
  TELLEGEN_ASSERT(file_ >= 0);
  const std::string bytes = image_of(file_);
  H5Fclose(file_);
  file_ = -1;
  output_->write(bytes);
  output_->commit();
}

}  // namespace tellegen
