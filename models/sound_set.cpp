#include <algorithm>
#include <cmath>

#include "tellegen/base/error.h"
#include "tellegen/base/random.h"
#include "tellegen/models/test_set_kinds.h"

namespace tellegen::models {

namespace {

enum Column : std::size_t { kProbability, kSpeech, kColumns };

/// Frames of one recording in time order; each sees the last samples of the frame before it.
class SoundSet final : public TestSet {
 public:
  /// `sound` in fractions of full scale.
  SoundSet(std::vector<float> sound, std::vector<std::uint8_t> speech, std::int64_t frame, std::int64_t context)
      : sound_(std::move(sound)), speech_(std::move(speech)), frame_(frame), context_(context) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(speech_.size()); }
  std::string sample_name() const override { return "frame"; }
  std::size_t columns() const override { return kColumns; }

  /// Silence before the beginning.
  Tensor batch(std::int64_t first, std::int64_t count) const override {
    TELLEGEN_ASSERT(first >= 0 && count >= 0 && first + count <= size());
    Tensor frames{{count, 1, context_ + frame_}, {}};
    for (std::int64_t number = first; number < first + count; ++number)
      for (std::int64_t at = number * frame_ - context_; at < (number + 1) * frame_; ++at)
        frames.data.push_back(at < 0 ? 0.0F : sound_[static_cast<std::size_t>(at)]);
    return frames;
  }

  std::vector<double> score(const Tensor& outputs, std::int64_t first) const override {
    std::vector<double> scores;
    for (std::int64_t number = 0; number < outputs.shape[0]; ++number)
      scores.insert(scores.end(), {static_cast<double>(outputs.data[static_cast<std::size_t>(number)]),
                                   static_cast<double>(speech_[static_cast<std::size_t>(first + number)])});
    return scores;
  }

  std::vector<Figure> figures(std::span<const double> scores) const override {
    const std::vector<double> probabilities = column(scores, kColumns, kProbability),
                              speech = column(scores, kColumns, kSpeech);
    double hits = 0;
    for (std::size_t i = 0; i < speech.size(); ++i) hits += (probabilities[i] > 0.5) == (speech[i] != 0) ? 1 : 0;
    return {area_under_curve(probabilities, speech), share("top1", hits, static_cast<double>(speech.size()))};
  }

 private:
  std::vector<float> sound_;
  std::vector<std::uint8_t> speech_;
  std::int64_t frame_, context_;
};

/// 16-bit sound as fractions of full scale.
std::vector<float> fractions(const std::vector<std::int64_t>& sound) {
  std::vector<float> result;
  for (const std::int64_t value : sound) result.push_back(static_cast<float>(value) / 32768.0F);
  return result;
}

/// White noise of 10^(-snr / 10) times the mean power: always the same draws, for it belongs to the data.
void add_noise(std::vector<float>& sound, double snr_db) {
  double power = 0;
  for (const float value : sound) power += static_cast<double>(value) * static_cast<double>(value);
  const double deviation = std::sqrt(power / static_cast<double>(sound.size()) * std::pow(10, -snr_db / 10));
  std::vector<float> noise(sound.size());
  Stream(1, Purpose::test, {}).normals(0, noise);
  for (std::size_t i = 0; i < sound.size(); ++i)
    sound[i] += static_cast<float>(deviation * static_cast<double>(noise[i]));
}

}  // namespace

std::unique_ptr<TestSet> load_sound_set(const Hdf5Reader& reader, const std::filesystem::path& file,
                                        const Network& network, std::optional<double> snr_db) {
  const auto frame = static_cast<std::int64_t>(reader.number_attribute("", "frame")),
             context = static_cast<std::int64_t>(reader.number_attribute("", "context"));
  std::vector<float> sound = fractions(reader.integers("audio"));
  std::vector<std::uint8_t> speech = reader.bytes("speech");
  const auto frames = static_cast<std::int64_t>(speech.size());
  if (frame < 1 || context < 0 || frames < 1 || std::ssize(sound) / frame < frames)
    throw InputError({file.string()}, "holds " + std::to_string(sound.size()) + " samples of sound and " +
                                          std::to_string(frames) + " labels for frames of " + std::to_string(frame) +
                                          "; each label needs a frame.");
  check_shape(file, "frames", {frames, 1, context + frame}, network.values[network.input].shape);
  check_shape(file, "labels of frames", {frames, 1}, network.values[network.output].shape);
  if (snr_db) add_noise(sound, *snr_db);
  return std::make_unique<SoundSet>(std::move(sound), std::move(speech), frame, context);
}

}  // namespace tellegen::models
