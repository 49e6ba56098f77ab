#include "tellegen/models/onnx/constant.h"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <fstream>
#include <optional>

#include "onnx_lite.pb.h"
#include "tellegen/base/input_file.h"

namespace tellegen::models::onnx {

namespace {

static_assert(std::endian::native == std::endian::little, "raw_data is little-endian and copied as it is");

enum DataType { kFloat = 1, kUint8 = 2, kInt8 = 3, kInt32 = 6, kInt64 = 7, kBool = 9, kFloat16 = 10, kDouble = 11 };

constexpr std::array<const char*, 17> kTypeNames{"undefined", "float",  "uint8",     "int8",       "uint16",  "int16",
                                                 "int32",     "int64",  "string",    "bool",       "float16", "double",
                                                 "uint32",    "uint64", "complex64", "complex128", "bfloat16"};

float from_half(std::uint16_t half) {
  const std::uint32_t sign = static_cast<std::uint32_t>(half & 0x8000U) << 16, exponent = (half >> 10) & 0x1FU,
                      fraction = half & 0x3FFU;
  if (exponent == 0) {  // zero and subnormal numbers: fraction * 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24F;
    return sign != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t wide = exponent == 31 ? 255U : exponent + 112U;
  return std::bit_cast<float>(sign | wide << 23 | fraction << 13);
}

/// The number of elements that `dims` claims, or nothing where it is negative or does not fit.
std::optional<std::uint64_t> claimed_elements(const onnx_wire::Tensor& wire) {
  std::uint64_t count = 1;
  for (const std::int64_t dimension : wire.dims()) {
    if (dimension < 0 || __builtin_mul_overflow(count, static_cast<std::uint64_t>(dimension), &count))
      return std::nullopt;
  }
  return count;
}

/// Elements from raw bytes of type Stored, or from a repeated field, through `convert`. False where the count is
/// another.
template <class Stored, class Repeated, class Out, class Convert>
bool read_elements(const onnx_wire::Tensor& wire, const Repeated& field, std::uint64_t count, std::vector<Out>& out,
                   Convert convert) {
  const std::string& raw = wire.raw_data();
  const std::uint64_t held =
      wire.has_raw_data() ? raw.size() / sizeof(Stored) : static_cast<std::uint64_t>(field.size());
  if (held != count || (wire.has_raw_data() && raw.size() % sizeof(Stored) != 0)) return false;
  out.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) {
    Stored element;
    if (wire.has_raw_data())
      std::memcpy(&element, raw.data() + i * sizeof(Stored), sizeof(Stored));
    else
      element = static_cast<Stored>(field.Get(static_cast<int>(i)));
    out.push_back(convert(element));
  }
  return true;
}

bool read_data(const onnx_wire::Tensor& wire, std::uint64_t count, Constant& constant) {
  const auto as_float = [](auto value) { return static_cast<float>(value); };
  const auto as_integer = [](auto value) { return static_cast<std::int64_t>(value); };
  std::vector<float>& floats = constant.floats.data;
  std::vector<std::int64_t>& integers = constant.integers.data;
  switch (wire.data_type()) {
    case kFloat:
      return read_elements<float>(wire, wire.float_data(), count, floats, as_float);
    case kDouble:
      return read_elements<double>(wire, wire.double_data(), count, floats, as_float);
    case kFloat16:
      return read_elements<std::uint16_t>(wire, wire.int32_data(), count, floats, from_half);
    case kInt64:
      return read_elements<std::int64_t>(wire, wire.int64_data(), count, integers, as_integer);
    case kInt32:
      return read_elements<std::int32_t>(wire, wire.int32_data(), count, integers, as_integer);
    case kInt8:
      return read_elements<std::int8_t>(wire, wire.int32_data(), count, integers, as_integer);
    default:
      return read_elements<std::uint8_t>(wire, wire.int32_data(), count, integers, as_integer);  // uint8 and bool
  }
}

bool is_float_type(int type) { return type == kFloat || type == kDouble || type == kFloat16; }

std::string entry(const onnx_wire::Tensor& wire, const std::string& key) {
  for (const auto& pair : wire.external_data())
    if (pair.key() == key) return pair.value();
  return "";
}

/// A number of an entry; `otherwise` where there is none, nothing where it is no number.
std::optional<std::uint64_t> number(const std::string& text, std::uint64_t otherwise) {
  if (text.empty()) return otherwise;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Whether `file` lies in `folder`, links followed.
bool is_inside(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code error;
  const auto real = std::filesystem::canonical(file, error),
             root = std::filesystem::canonical(folder.empty() ? "." : folder, error);
  const auto [end, at] = std::mismatch(root.begin(), root.end(), real.begin(), real.end());
  return !error && end == root.end();
}

/// Puts the bytes of another file into `wire`. Returns why that cannot be, or "".
std::string fetch_external(onnx_wire::Tensor& wire, const std::filesystem::path& folder) {
  const std::string location = entry(wire, "location");
  const std::filesystem::path file = folder / location;
  if (location.empty()) return "keeps its data in another file that it does not name. Export the model again.";
  std::error_code error;
  const std::filesystem::path plain = std::filesystem::path(location).lexically_normal();
  const bool leaves = plain.is_absolute() || *plain.begin() == "..";
  if (leaves || (std::filesystem::exists(file, error) && !is_inside(file, folder)))
    return "keeps its data in '" + location + "', outside of the model's folder. Put it beside the model.";
  if (const std::string problem = not_a_file(file); !problem.empty())
    return "keeps its data in '" + location + "': " + problem + " Put it beside the model.";
  const std::uint64_t size = std::filesystem::file_size(file, error);
  const auto offset = number(entry(wire, "offset"), 0);
  const auto length = offset && *offset <= size ? number(entry(wire, "length"), size - *offset) : std::nullopt;
  if (error || !length || *length > size - *offset)
    return "keeps its data in '" + location + "', which has " + std::to_string(size) +
           " bytes, fewer than the model says (offset '" + entry(wire, "offset") + "', length '" +
           entry(wire, "length") + "'). Copy the file again.";
  std::string bytes(*length, '\0');
  std::ifstream stream(file, std::ios::binary);
  stream.seekg(static_cast<std::streamoff>(*offset));
  if (!stream.read(bytes.data(), static_cast<std::streamsize>(*length)) && *length > 0)
    return "keeps its data in '" + location + "', which cannot be read. Check the permissions of the file.";
  wire.set_raw_data(std::move(bytes));
  return "";
}

}  // namespace

bool is_integer_type(int type) {
  return type == kInt64 || type == kInt32 || type == kInt8 || type == kUint8 || type == kBool;
}

std::string type_name(int data_type) {
  if (data_type >= 0 && data_type < static_cast<int>(kTypeNames.size())) return kTypeNames[data_type];
  return "number " + std::to_string(data_type);
}

Constant convert_tensor(const onnx_wire::Tensor& given, const std::filesystem::path& folder) {
  onnx_wire::Tensor fetched;
  if (given.data_location() != 0) fetched = given;
  const onnx_wire::Tensor& wire = given.data_location() != 0 ? fetched : given;
  Constant constant;
  constant.name = wire.name();
  const int type = wire.data_type();
  constant.is_float = is_float_type(type);
  Shape& shape = constant.is_float ? constant.floats.shape : constant.integers.shape;
  shape.assign(wire.dims().begin(), wire.dims().end());
  const auto count = claimed_elements(wire);
  if (!constant.is_float && !is_integer_type(type))
    constant.refusal = "is of type '" + type_name(type) +
                       "'; float, double, float16, int64, int32, int8, uint8 and bool are supported.";
  else if (wire.data_location() != 0)
    constant.refusal = fetch_external(fetched, folder);
  if (constant.refusal.empty() && (!count || !read_data(wire, *count, constant)))
    constant.refusal = "claims shape '" + to_string(shape) + "' of " + type_name(type) +
                       ", which is not what its data holds. The file is damaged: export the model again.";
  return constant;
}

}  // namespace tellegen::models::onnx
