#include "tellegen/models/test_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "tellegen/base/error.h"
#include "tellegen/models/executor.h"
#include "tellegen/models/test_set_kinds.h"

namespace tellegen::models {

std::vector<double> column(std::span<const double> scores, std::size_t columns, std::size_t which) {
  std::vector<double> result;
  for (std::size_t at = which; at < scores.size(); at += columns) result.push_back(scores[at]);
  return result;
}

void check_shape(const std::filesystem::path& file, const std::string& what, const Shape& holds, const Shape& wanted) {
  const bool fits = holds.size() == wanted.size() && std::equal(holds.begin() + 1, holds.end(), wanted.begin() + 1);
  if (!fits)
    throw InputError({file.string()}, what + " have shape '" + to_string(holds) + "'; the network needs " +
                                          to_string(wanted) + ". Use the test set that the network was trained for.");
}

std::unique_ptr<TestSet> load_test_set(const std::filesystem::path& file, const Network& network,
                                       std::optional<double> snr_db) {
  const Hdf5Reader reader(file);
  const bool sound = reader.has("audio") && reader.has("speech");
  if (snr_db && !sound)
    throw InputError({file.string()}, fmt::format("holds no sound, to which noise {} dB below it could be added. "
                                                  "Leave the signal-to-noise ratio out.",
                                                  *snr_db));
  if (sound) return load_sound_set(reader, file, network, snr_db);
  if (reader.has("ids") && reader.has("next")) return load_token_set(reader, file, network);
  if (reader.has("images") && reader.has("text")) return load_line_set(reader, file, network);
  if (reader.has("images")) return load_image_set(file, network);
  throw InputError({file.string()},
                   "is no test set: it must hold 'images' with 'labels', 'images' with 'width' and 'text', 'ids' with "
                   "'next', or 'audio' with 'speech'.");
}

std::vector<Figure> evaluate(const Network& network, const TestSet& set, const Evaluation& evaluation,
                             const Progress& progress) {
  TELLEGEN_ASSERT(evaluation.batch > 0 && evaluation.samples >= 0 && evaluation.samples <= set.size());
  const std::int64_t samples = evaluation.samples == 0 ? set.size() : evaluation.samples, batch = evaluation.batch;
  const auto batches = static_cast<std::size_t>((samples + batch - 1) / batch);
  std::vector<double> scores(static_cast<std::size_t>(samples) * set.columns());
  StreamMemory memory;
  Hooks hooks;
  if (network.streaming) hooks.memory = &memory;
  std::atomic<std::size_t> done = 0;
  parallel_for(batches, network.streaming ? 1 : evaluation.threads, [&](std::size_t index) {
    const std::int64_t first = static_cast<std::int64_t>(index) * batch;
    const Tensor outputs = execute(network, set.batch(first, std::min(batch, samples - first)), hooks);
    std::ranges::copy(set.score(outputs, first), scores.begin() + first * static_cast<std::int64_t>(set.columns()));
    if (progress) progress(++done, batches);
  });
  return set.figures(scores);
}

}  // namespace tellegen::models
