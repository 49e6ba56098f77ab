#pragma once
// A small RAII layer over the HDF5 C API: named arrays with attributes, groups by path ("layers/conv1/counts").

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tellegen {

class TemporaryFile;
namespace detail {
class IsolatedProcess;
}

/// Builds the file in memory; commit() writes it to a temporary name beside `file` and renames: a crash, an exception
/// or a full disk never leaves half a file.
/// All objects are written without time stamps, so equal content gives equal bytes. Arrays over 64 KiB are compressed.
/// HDF5 keeps global state: one thread at a time may use writers and readers.
class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::filesystem::path& file);
  ~Hdf5Writer();  ///< writes nothing unless committed
  Hdf5Writer(const Hdf5Writer&) = delete;
  Hdf5Writer& operator=(const Hdf5Writer&) = delete;

  /// Datasets; missing groups on the way are made. `shape` must multiply to data.size().
  void write(const std::string& path, std::span<const double> data, const std::vector<std::uint64_t>& shape);
  void write(const std::string& path, std::span<const float> data, const std::vector<std::uint64_t>& shape);
  void write(const std::string& path, std::span<const std::int64_t> data, const std::vector<std::uint64_t>& shape);
  void write(const std::string& path, std::span<const std::uint8_t> data, const std::vector<std::uint64_t>& shape);
  void write(const std::string& path, std::span<const std::string> data);  ///< 1-D, variable-length UTF-8
  /// Attributes of a dataset or group ("" is the root). Every numeric dataset carries `unit`.
  void attribute(const std::string& path, const std::string& name, const std::string& value);
  void attribute(const std::string& path, const std::string& name, double value);
  void attribute(const std::string& path, const std::string& name, std::int64_t value);
  /// Writes the file and gives it its name. Throws InputError where that fails.
  void commit();

 private:
  std::unique_ptr<TemporaryFile> output_;
  std::int64_t file_ = -1;
};

/// Reads such files, and those of h5py. Throws InputError: file missing, not HDF5, damaged, dataset missing, wrong
/// type. The HDF5 library can crash on a damaged file, whatever is checked before; it therefore reads in a process of
/// its own, which only hands over numbers and texts (about 1 ms for a file, as long as a copy for the data).
class Hdf5Reader {
 public:
  explicit Hdf5Reader(const std::filesystem::path& file);
  ~Hdf5Reader();
  Hdf5Reader(const Hdf5Reader&) = delete;
  Hdf5Reader& operator=(const Hdf5Reader&) = delete;

  bool has(const std::string& path) const;
  std::vector<std::string> children(const std::string& path) const;  ///< names in a group, sorted
  std::vector<std::uint64_t> shape(const std::string& path) const;
  std::vector<double> doubles(const std::string& path) const;         ///< any numeric type
  std::vector<std::int64_t> integers(const std::string& path) const;  ///< any integer type
  std::vector<std::uint8_t> bytes(const std::string& path) const;     ///< only uint8
  std::vector<std::string> strings(const std::string& path) const;
  std::string text_attribute(const std::string& path, const std::string& name) const;
  double number_attribute(const std::string& path, const std::string& name) const;

 private:
  std::string ask(char what, const std::string& path, const std::string& name = "") const;

  std::filesystem::path path_;
  std::unique_ptr<detail::IsolatedProcess> process_;
};

}  // namespace tellegen
