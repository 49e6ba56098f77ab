#include "tellegen/base/hdf5_content.h"

#include <fmt/format.h>

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_handle.h"

namespace tellegen::detail {

bool object_exists(hid_t file, const std::string& path) {
  // H5Lexists is an error, not "no", where a group on the way is missing.
  for (auto slash = path.find('/', 1); slash != std::string::npos; slash = path.find('/', slash + 1)) {
    if (H5Lexists(file, path.substr(0, slash).c_str(), H5P_DEFAULT) <= 0) return false;
  }
  if (path.empty() || path == "/") return true;
  return H5Lexists(file, path.c_str(), H5P_DEFAULT) > 0 && H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0;
}

namespace {

[[noreturn]] void fail(const std::filesystem::path& file, const std::string& message) {
  throw InputError(file.string() + ": " + message);
}

struct Dataset {
  Handle id;
  Handle type;
  std::vector<std::uint64_t> shape;
  std::size_t elements;
};

Dataset open_dataset(hid_t file, const std::string& path, const std::filesystem::path& name) {
  if (!object_exists(file, path)) fail(name, fmt::format("there is no dataset '{}'.", path));
  Handle id(H5Dopen2(file, object_path(path).c_str(), H5P_DEFAULT), H5Dclose);
  if (!id.valid()) fail(name, fmt::format("'{}' is not a dataset.", path));
  Handle type(H5Dget_type(id), H5Tclose);
  const Handle space(H5Dget_space(id), H5Sclose);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (!type.valid() || rank < 0) fail(name, fmt::format("dataset '{}' cannot be read; the file is damaged.", path));
  std::vector<hsize_t> extent(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space, extent.data(), nullptr);
  std::size_t elements = 1;
  for (const hsize_t n : extent) {
    if (__builtin_mul_overflow(elements, n, &elements))
      fail(name, fmt::format("dataset '{}' is larger than any memory.", path));
  }
  return {std::move(id), std::move(type), {extent.begin(), extent.end()}, elements};
}

/// Deflate shrinks at most about 1030 times, and no data are larger than the file. A shape that promises more comes
/// from a damaged file or stands for data that were never written; it must not decide how much memory is taken.
void check_stored(const Dataset& dataset, const std::string& path, const std::filesystem::path& name) {
  const double promised = static_cast<double>(dataset.elements) * static_cast<double>(H5Tget_size(dataset.type));
  const auto stored =
      static_cast<double>(std::min<std::uintmax_t>(H5Dget_storage_size(dataset.id), std::filesystem::file_size(name)));
  if (promised > 1100.0 * stored) fail(name, fmt::format("dataset '{}' cannot be read; its data are missing.", path));
}

/// All elements; each takes `per_element` values of T.
template <class T>
std::vector<T> read_all(const Dataset& dataset, hid_t memory_type, const std::string& path,
                        const std::filesystem::path& name, std::size_t per_element = 1) {
  check_stored(dataset, path, name);
  std::vector<T> values(dataset.elements * per_element);
  if (!values.empty() && H5Dread(dataset.id, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0) {
    fail(name, fmt::format("dataset '{}' cannot be read; the file is damaged.", path));
  }
  return values;
}

Handle open_attribute(hid_t file, const std::string& path, const std::string& name,
                      const std::filesystem::path& file_name) {
  if (!object_exists(file, path)) fail(file_name, fmt::format("there is no '{}'.", path));
  Handle attribute(H5Aopen_by_name(file, object_path(path).c_str(), name.c_str(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  if (!attribute.valid()) fail(file_name, fmt::format("'{}' has no attribute '{}'.", object_path(path), name));
  const Handle space(H5Aget_space(attribute), H5Sclose);
  if (H5Sget_simple_extent_npoints(space) != 1)
    fail(file_name, fmt::format("attribute '{}' of '{}' is not a single value.", name, object_path(path)));
  return attribute;
}

/// A text of fixed length, which other programs write; padded with zeros.
std::string unpadded(const char* data, std::size_t size) {
  std::string text(data, size);
  text.erase(std::min(text.find('\0'), text.size()));
  return text;
}

}  // namespace

Hdf5Content::Hdf5Content(const std::filesystem::path& file) : path_(file) {
  silence_hdf5();
  if (H5Fis_hdf5(file.c_str()) <= 0) fail(file, "this is not an HDF5 file.");
  file_ = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file_ < 0) fail(file, "this HDF5 file is damaged or cut short.");
}

Hdf5Content::~Hdf5Content() { H5Fclose(file_); }

bool Hdf5Content::has(const std::string& path) const { return object_exists(file_, path); }

std::vector<std::string> Hdf5Content::children(const std::string& path) const {
  if (!has(path)) fail(path_, fmt::format("there is no group '{}'.", path));
  const Handle group(H5Gopen2(file_, object_path(path).c_str(), H5P_DEFAULT), H5Gclose);
  if (!group.valid()) fail(path_, fmt::format("'{}' is not a group.", path));
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* out) -> herr_t {
    static_cast<std::vector<std::string>*>(out)->emplace_back(name);
    return 0;
  };
  if (H5Literate(group, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, add, &names) < 0)
    fail(path_, fmt::format("group '{}' cannot be read; the file is damaged.", path));
  std::ranges::sort(names);
  return names;
}

std::vector<std::uint64_t> Hdf5Content::shape(const std::string& path) const {
  return open_dataset(file_, path, path_).shape;
}

std::vector<double> Hdf5Content::doubles(const std::string& path) const {
  const Dataset dataset = open_dataset(file_, path, path_);
  const H5T_class_t kind = H5Tget_class(dataset.type);
  if (kind != H5T_INTEGER && kind != H5T_FLOAT) fail(path_, fmt::format("dataset '{}' does not hold numbers.", path));
  return read_all<double>(dataset, H5T_NATIVE_DOUBLE, path, path_);
}

std::vector<std::int64_t> Hdf5Content::integers(const std::string& path) const {
  const Dataset dataset = open_dataset(file_, path, path_);
  if (H5Tget_class(dataset.type) != H5T_INTEGER)
    fail(path_, fmt::format("dataset '{}' does not hold whole numbers.", path));
  return read_all<std::int64_t>(dataset, H5T_NATIVE_INT64, path, path_);
}

std::vector<std::uint8_t> Hdf5Content::bytes(const std::string& path) const {
  const Dataset dataset = open_dataset(file_, path, path_);
  const bool is_bytes = H5Tget_class(dataset.type) == H5T_INTEGER && H5Tget_size(dataset.type) == 1 &&
                        H5Tget_sign(dataset.type) == H5T_SGN_NONE;
  if (!is_bytes) fail(path_, fmt::format("dataset '{}' does not hold bytes (unsigned, 8 bit).", path));
  return read_all<std::uint8_t>(dataset, H5T_NATIVE_UINT8, path, path_);
}

std::vector<std::string> Hdf5Content::strings(const std::string& path) const {
  const Dataset dataset = open_dataset(file_, path, path_);
  if (H5Tget_class(dataset.type) != H5T_STRING) fail(path_, fmt::format("dataset '{}' does not hold texts.", path));
  std::vector<std::string> texts;
  if (H5Tis_variable_str(dataset.type) <= 0) {
    const std::size_t size = H5Tget_size(dataset.type);
    const auto characters = read_all<char>(dataset, dataset.type, path, path_, size);
    for (std::size_t i = 0; i < dataset.elements; ++i) texts.push_back(unpadded(characters.data() + i * size, size));
    return texts;
  }
  const Handle space(H5Dget_space(dataset.id), H5Sclose);
  auto pointers = read_all<char*>(dataset, dataset.type, path, path_);
  for (const char* text : pointers) texts.emplace_back(text == nullptr ? "" : text);
  if (!pointers.empty()) H5Dvlen_reclaim(dataset.type, space, H5P_DEFAULT, pointers.data());
  return texts;
}

std::string Hdf5Content::text_attribute(const std::string& path, const std::string& name) const {
  const Handle attribute = open_attribute(file_, path, name, path_);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  if (H5Tget_class(type) != H5T_STRING)
    fail(path_, fmt::format("attribute '{}' of '{}' is not a text.", name, object_path(path)));
  if (H5Tis_variable_str(type) > 0) {
    char* text = nullptr;
    if (H5Aread(attribute, type, static_cast<void*>(&text)) < 0)
      fail(path_, fmt::format("attribute '{}' of '{}' cannot be read; the file is damaged.", name, object_path(path)));
    std::string result = text == nullptr ? "" : text;
    H5free_memory(text);
    return result;
  }
  std::vector<char> characters(H5Tget_size(type));
  if (H5Aread(attribute, type, characters.data()) < 0)
    fail(path_, fmt::format("attribute '{}' of '{}' cannot be read; the file is damaged.", name, object_path(path)));
  return unpadded(characters.data(), characters.size());
}

double Hdf5Content::number_attribute(const std::string& path, const std::string& name) const {
  const Handle attribute = open_attribute(file_, path, name, path_);
  const Handle type(H5Aget_type(attribute), H5Tclose);
  const H5T_class_t kind = H5Tget_class(type);
  double value = 0;
  const bool number = kind == H5T_INTEGER || kind == H5T_FLOAT;
  if (!number || H5Aread(attribute, H5T_NATIVE_DOUBLE, &value) < 0)
    fail(path_, fmt::format("attribute '{}' of '{}' is not a number.", name, object_path(path)));
  return value;
}

}  // namespace tellegen::detail
