#include "tellegen/models/onnx/wire.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

namespace tellegen::models::onnx {

namespace {

enum WireType { varint = 0, length_delimited = 2 };

/// Fields of ONNX's ModelProto and how they are written.
struct Field {
  std::uint64_t number;
  WireType type;
  const char* name;
};
constexpr std::array<Field, 11> kModelFields{{{1, varint, "ir_version"},
                                              {2, length_delimited, "producer_name"},
                                              {3, length_delimited, "producer_version"},
                                              {4, length_delimited, "domain"},
                                              {5, varint, "model_version"},
                                              {6, length_delimited, "doc_string"},
                                              {7, length_delimited, "graph"},
                                              {8, length_delimited, "opset_import"},
                                              {14, length_delimited, "metadata_props"},
                                              {20, length_delimited, "training_info"},
                                              {25, length_delimited, "functions"}}};

constexpr const char* kNotOnnx = "is not an ONNX model. Give a file that was exported as ONNX.";

std::optional<std::uint64_t> read_varint(std::string_view bytes, std::size_t& position) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64 && position < bytes.size(); shift += 7) {
    const auto byte = static_cast<unsigned char>(bytes[position++]);
    value |= static_cast<std::uint64_t>(byte & 0x7F) << shift;
    if ((byte & 0x80) == 0) return value;
  }
  return std::nullopt;
}

bool is_text(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 512);
  return std::all_of(start.begin(), start.end(), [](char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte >= 0x20 && byte != 0x7F) || c == '\n' || c == '\r' || c == '\t';
  });
}

std::string text_fault(std::string_view bytes) {
  const std::string_view line = bytes.substr(0, std::min<std::size_t>(bytes.find('\n'), 40));
  return "is a text file that begins with '" + std::string(line) +
         "', not an ONNX model. Give a file that was exported as ONNX.";
}

}  // namespace

std::string wire_fault(std::string_view bytes) {
  if (bytes.empty()) return "is empty. Export or copy the model again.";
  if (is_text(bytes)) return text_fault(bytes);
  bool any_field = false;
  for (std::size_t position = 0; position < bytes.size();) {
    const auto tag = read_varint(bytes, position);
    const auto field = std::find_if(kModelFields.begin(), kModelFields.end(), [&](const Field& f) {
      return tag && *tag >> 3 == f.number && (*tag & 7) == static_cast<std::uint64_t>(f.type);
    });
    // A field that we do not know can be one of a later IR version, but never the first thing in the file.
    if (field == kModelFields.end() && (!any_field || !tag || (*tag & 7) != length_delimited)) return kNotOnnx;
    any_field = true;
    const std::string name = field == kModelFields.end() ? "field " + std::to_string(*tag >> 3) : field->name;
    const auto value = read_varint(bytes, position);
    const std::size_t left = bytes.size() - position;
    if (!value) return "is truncated: it ends inside '" + name + "'. Copy the file again.";
    if ((*tag & 7) != length_delimited) continue;
    if (*value > left)
      return "is truncated: '" + name + "' should be " + std::to_string(*value) + " bytes long, and " +
             std::to_string(left) + " are left. Copy the file again.";
    position += *value;
  }
  return "";
}

}  // namespace tellegen::models::onnx
