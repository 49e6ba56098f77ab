// The two ends of a conversation: the child process reads with Hdf5Content, the caller sees plain bytes.

#include <cstring>
#include <new>
#include <type_traits>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_content.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/input_file.h"
#include "tellegen/base/isolated_process.h"

namespace tellegen {
namespace {

using detail::Hdf5Content;

enum Request : char {
  kOpen = 'o',
  kHas = 'h',
  kChildren = 'c',
  kShape = 's',
  kDoubles = 'd',
  kIntegers = 'i',
  kBytes = 'b',
  kStrings = 't',
  kTextAttribute = 'a',
  kNumberAttribute = 'n'
};

template <class T>
std::string pack(const std::vector<T>& values) {
  static_assert(std::is_arithmetic_v<T>);
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// Texts hold no zero byte: HDF5 ends them there.
std::string pack(const std::vector<std::string>& texts) {
  std::string packed;
  for (const std::string& text : texts) packed.append(text.c_str(), text.size() + 1);
  return packed;
}

template <class T>
std::vector<T> unpack(const std::string& packed) {
  std::vector<T> values(packed.size() / sizeof(T));
  if (!values.empty()) std::memcpy(values.data(), packed.data(), values.size() * sizeof(T));
  return values;
}

std::vector<std::string> unpack_texts(const std::string& packed) {
  std::vector<std::string> texts;
  for (std::size_t start = 0; start < packed.size(); start += texts.back().size() + 1)
    texts.emplace_back(packed.c_str() + start);
  return texts;
}

std::string answer(const Hdf5Content& content, char what, const std::string& path, const std::string& name) {
  switch (what) {
    case kHas:
      return content.has(path) ? "1" : "";
    case kChildren:
      return pack(content.children(path));
    case kShape:
      return pack(content.shape(path));
    case kDoubles:
      return pack(content.doubles(path));
    case kIntegers:
      return pack(content.integers(path));
    case kBytes:
      return pack(content.bytes(path));
    case kStrings:
      return pack(content.strings(path));
    case kTextAttribute:
      return content.text_attribute(path, name);
    case kNumberAttribute:
      return pack(std::vector<double>{content.number_attribute(path, name)});
    default:
      return "";
  }
}

/// Runs in the child. A request is a letter, a path, a zero byte and a name.
class Server {
 public:
  explicit Server(std::filesystem::path file) : file_(std::move(file)) {}

  std::string operator()(const std::string& request) {
    try {
      if (!content_) content_ = std::make_shared<Hdf5Content>(file_);
      const std::size_t end = request.find('\0');
      return answer(*content_, request.at(0), request.substr(1, end - 1), request.substr(end + 1));
    } catch (const std::bad_alloc&) {
      throw InputError(file_.string() + ": this HDF5 file is damaged, or it needs more memory than there is.");
    }
  }

 private:
  std::filesystem::path file_;
  std::shared_ptr<Hdf5Content> content_;
};

/// Reading takes three copies of the data, which are seldom more than twenty times their compressed size; in a small
/// file they may be. A second of processor time unpacks 16 MiB several times over.
detail::IsolatedProcess::Limits limits_of(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t found = std::filesystem::file_size(file, error);
  const std::uint64_t size = error ? 0 : found;  // a file that has vanished since is the server's to report
  return {(std::uint64_t{512} << 20) + 64 * size, static_cast<long>(4 + (size >> 24))};
}

}  // namespace

Hdf5Reader::Hdf5Reader(const std::filesystem::path& file) : path_(file) {
  if (const std::string problem = not_a_file(file); !problem.empty()) throw InputError({file.string()}, problem);
  process_ = std::make_unique<detail::IsolatedProcess>(Server(file), limits_of(file));
  ask(kOpen, "");
}

Hdf5Reader::~Hdf5Reader() = default;

std::string Hdf5Reader::ask(char what, const std::string& path, const std::string& name) const {
  TELLEGEN_ASSERT(path.find('\0') == std::string::npos);
  auto answer = process_->ask(what + path + '\0' + name);
  if (!answer) throw InputError({path_.string()}, "this HDF5 file is damaged; the HDF5 library fails on it.");
  return std::move(*answer);
}

bool Hdf5Reader::has(const std::string& path) const { return !ask(kHas, path).empty(); }

std::vector<std::string> Hdf5Reader::children(const std::string& path) const {
  return unpack_texts(ask(kChildren, path));
}

std::vector<std::uint64_t> Hdf5Reader::shape(const std::string& path) const {
  return unpack<std::uint64_t>(ask(kShape, path));
}

std::vector<double> Hdf5Reader::doubles(const std::string& path) const { return unpack<double>(ask(kDoubles, path)); }

std::vector<std::int64_t> Hdf5Reader::integers(const std::string& path) const {
  return unpack<std::int64_t>(ask(kIntegers, path));
}

std::vector<std::uint8_t> Hdf5Reader::bytes(const std::string& path) const {
  return unpack<std::uint8_t>(ask(kBytes, path));
}

std::vector<std::string> Hdf5Reader::strings(const std::string& path) const {
  return unpack_texts(ask(kStrings, path));
}

std::string Hdf5Reader::text_attribute(const std::string& path, const std::string& name) const {
  return ask(kTextAttribute, path, name);
}

double Hdf5Reader::number_attribute(const std::string& path, const std::string& name) const {
  const std::vector<double> value = unpack<double>(ask(kNumberAttribute, path, name));
  TELLEGEN_ASSERT(value.size() == 1);
  return value[0];
}

}  // namespace tellegen
