#include "tellegen/models/tensor.h"

namespace tellegen::models {

std::string to_string(const Shape& shape) {
  if (shape.empty()) return "scalar";
  std::string text;
  for (const std::int64_t dimension : shape) {
    if (!text.empty()) text += 'x';
    if (!is_batch(dimension))
      text += std::to_string(dimension);
    else
      text += (dimension == -1 ? "" : std::to_string(-dimension)) + "N";
  }
  return text;
}

}  // namespace tellegen::models
