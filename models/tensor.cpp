#include "tellegen/models/tensor.h"

namespace tellegen::models {

std::string to_string(const Shape& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const std::int64_t dimension : shape) {
    if (!text.empty()) text += 'x';
    text += dimension == -1 ? "N" : std::to_string(dimension);
  }
  return text;
}

}  // namespace tellegen::models
