#include "tellegen/models/dataset.h"

#include <algorithm>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"

namespace tellegen::models {

namespace {

Shape without_ones(Shape shape) {
  std::erase(shape, 1);
  return shape;
}

/// Images of height x width are what a network reads that wants them flat, or the same up to dimensions of one.
bool images_fit(const Shape& image, const Shape& sample) {
  if (sample.size() == 1) return element_count(image) == sample[0];
  return without_ones(image) == without_ones(sample);
}

Shape image_shape(const Hdf5Reader& reader, const std::filesystem::path& file, std::size_t labels) {
  const std::vector<std::uint64_t> stored = reader.shape("images");
  Shape shape(stored.begin(), stored.end());
  if (shape.size() < 2 || shape[0] < 1)
    throw InputError({file.string()}, "'images' has shape '" + to_string(shape) +
                                          "'; samples x height x width with at least one sample is allowed.");
  if (static_cast<std::uint64_t>(shape[0]) != labels)
    throw InputError({file.string()}, "'images' holds " + std::to_string(shape[0]) + " samples and 'labels' " +
                                          std::to_string(labels) + "; each image needs one label.");
  shape.erase(shape.begin());
  return shape;
}

void check_labels(const std::vector<int>& labels, std::int64_t classes, const std::filesystem::path& file) {
  const auto wrong = std::find_if(labels.begin(), labels.end(), [&](int label) { return label >= classes; });
  if (wrong == labels.end()) return;
  throw InputError({file.string()}, "label " + std::to_string(wrong - labels.begin()) + " is '" +
                                        std::to_string(*wrong) + "'; the network has " + std::to_string(classes) +
                                        " outputs, so 0 to " + std::to_string(classes - 1) +
                                        " is allowed. Use the test set that the network was trained for.");
}

}  // namespace

Dataset load_dataset(const std::filesystem::path& file, const Network& network) {
  const Hdf5Reader reader(file);
  Dataset set;
  set.file = file;
  const Shape& input = network.values[network.input].shape;
  set.sample_shape.assign(input.begin() + 1, input.end());
  const std::vector<std::uint8_t> labels = reader.bytes("labels");
  set.labels.assign(labels.begin(), labels.end());
  const Shape image = image_shape(reader, file, labels.size());
  if (!images_fit(image, set.sample_shape))
    throw InputError({file.string()}, "the images have size '" + to_string(image) + "'; the network " + network.name +
                                          " reads " + to_string(set.sample_shape) +
                                          ". Use the test set that the network was trained for.");
  const Shape& output = network.values[network.output].shape;
  check_labels(set.labels, element_count(output) / output[0], file);
  set.pixels = reader.bytes("images");
  return set;
}

Tensor Dataset::batch(std::int64_t first, std::int64_t count) const {
  TELLEGEN_ASSERT(first >= 0 && count >= 0 && first + count <= size());
  Tensor tensor;
  tensor.shape = sample_shape;
  tensor.shape.insert(tensor.shape.begin(), count);
  const std::int64_t sample = element_count(sample_shape);
  tensor.data.resize(static_cast<std::size_t>(count * sample));
  std::transform(pixels.begin() + first * sample, pixels.begin() + (first + count) * sample, tensor.data.begin(),
                 [](std::uint8_t pixel) { return static_cast<float>(pixel) / 255.0F; });
  return tensor;
}

}  // namespace tellegen::models
