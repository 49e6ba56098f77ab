#pragma once
// Inside base only: RAII for HDF5 identifiers, and paths.

#include <hdf5.h>

#include <string>
#include <utility>

namespace tellegen::detail {

/// Owns one HDF5 identifier. A negative one stands for a call that failed.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&&) = delete;
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

  operator hid_t() const { return id_; }
  bool valid() const { return id_ >= 0; }

 private:
  hid_t id_;
  Close close_;
};

/// The library prints every error by default; ours become exceptions instead.
inline void silence_hdf5() { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

/// "/" for the root, which we call "".
inline std::string object_path(const std::string& path) { return path.empty() ? "/" : path; }

/// Text of any length, UTF-8.
inline Handle text_type() {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

/// Whether every link on the way to `path` exists and the object can be opened.
bool object_exists(hid_t file, const std::string& path);

}  // namespace tellegen::detail
