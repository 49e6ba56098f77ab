#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "tellegen/base/error.h"
#include "tellegen/models/test_set_kinds.h"

namespace tellegen::models {

namespace {

enum Column : std::size_t { kErrors, kCharacters, kExact, kColumns };

struct Lines {
  std::int64_t height = 0, width = 0;
  std::vector<std::uint8_t> pixels;
  std::vector<std::int64_t> widths;  ///< of the text in each image; white is behind
  std::vector<std::string> texts;
  std::map<std::int64_t, std::string> codes;
  std::int64_t nothing = 0;  ///< the output that stands for no character
};

class LineSet final : public TestSet {
 public:
  explicit LineSet(Lines lines) : lines_(std::move(lines)) {}
  std::int64_t size() const override { return static_cast<std::int64_t>(lines_.texts.size()); }
  std::string sample_name() const override { return "line"; }
  std::size_t columns() const override { return kColumns; }

  /// Black is -1 and white 1.
  Tensor batch(std::int64_t first, std::int64_t count) const override {
    TELLEGEN_ASSERT(first >= 0 && count >= 0 && first + count <= size());
    Tensor images{{count, 1, lines_.height, lines_.width}, {}};
    const std::int64_t each = lines_.height * lines_.width;
    for (std::int64_t at = first * each; at < (first + count) * each; ++at)
      images.data.push_back(static_cast<float>(lines_.pixels[static_cast<std::size_t>(at)]) / 127.5F - 1.0F);
    return images;
  }

  std::vector<double> score(const Tensor& outputs, std::int64_t first) const override {
    std::vector<double> scores;
    const std::int64_t steps = outputs.shape[1], codes = outputs.shape[2];
    for (std::int64_t line = 0; line < outputs.shape[0]; ++line) {
      const auto number = static_cast<std::size_t>(first + line);
      const std::int64_t stride = lines_.width / steps, used = (lines_.widths[number] + stride - 1) / stride;
      const std::string text = read(outputs.data.data() + line * steps * codes, std::min(used, steps), codes);
      const std::string& truth = lines_.texts[number];
      scores.insert(scores.end(), {static_cast<double>(character_errors(text, truth)),
                                   static_cast<double>(character_count(truth)), text == truth ? 1.0 : 0.0});
    }
    return scores;
  }

  std::vector<Figure> figures(std::span<const double> scores) const override {
    const std::vector<double> exact = column(scores, kColumns, kExact);
    const auto hits = static_cast<double>(std::count(exact.begin(), exact.end(), 1.0));
    return {ratio("character_error_rate", column(scores, kColumns, kErrors), column(scores, kColumns, kCharacters)),
            share("exact", hits, static_cast<double>(exact.size()))};
  }

 private:
  /// The likeliest code of each step; repeats and nothing left out, blanks at the ends cut off.
  std::string read(const float* logits, std::int64_t steps, std::int64_t codes) const {
    std::string text;
    std::int64_t last = lines_.nothing;
    for (std::int64_t step = 0; step < steps; ++step, logits += codes) {
      const std::int64_t code = std::max_element(logits, logits + codes) - logits;
      if (code != lines_.nothing && code != last) {
        const auto known = lines_.codes.find(code);
        text += known == lines_.codes.end() ? "?" : known->second;
      }
      last = code;
    }
    const std::size_t begin = text.find_first_not_of(' '), end = text.find_last_not_of(' ');
    return begin == std::string::npos ? "" : text.substr(begin, end - begin + 1);
  }

  Lines lines_;
};

std::map<std::int64_t, std::string> read_codes(const Hdf5Reader& reader, const std::filesystem::path& file) {
  std::map<std::int64_t, std::string> codes;
  const auto json = nlohmann::json::parse(reader.text_attribute("", "codes"), nullptr, false);
  bool fits = json.is_object();
  if (fits)
    for (const auto& [code, text] : json.items()) {
      const bool number = !code.empty() && code.size() < 10 &&
                          std::all_of(code.begin(), code.end(), [](char c) { return c >= '0' && c <= '9'; });
      fits = fits && number && text.is_string();
      if (fits) codes[std::stoll(code)] = text.get<std::string>();
    }
  if (!fits)
    throw InputError({file.string()}, "attribute 'codes' is no JSON object from output numbers to characters.");
  return codes;
}

}  // namespace

std::unique_ptr<TestSet> load_line_set(const Hdf5Reader& reader, const std::filesystem::path& file,
                                       const Network& network) {
  const auto stored = reader.shape("images");
  Shape shape(stored.begin(), stored.end());
  shape.insert(shape.begin() + std::min<std::ptrdiff_t>(1, std::ssize(shape)), 1);
  check_shape(file, "'images' (as one channel)", shape, network.values[network.input].shape);
  const Shape& output = network.values[network.output].shape;
  if (output.size() != 3 || shape[3] % output[1] != 0)
    throw InputError({file.string()}, "holds lines of text; the network gives outputs of shape '" + to_string(output) +
                                          "', and lines x steps x characters are needed.");
  Lines lines;
  lines.height = shape[2];
  lines.width = shape[3];
  lines.pixels = reader.bytes("images");
  lines.widths = reader.integers("width");
  lines.texts = reader.strings("text");
  lines.codes = read_codes(reader, file);
  lines.nothing = static_cast<std::int64_t>(reader.number_attribute("", "null_code"));
  const auto count = static_cast<std::size_t>(shape[0]);
  if (lines.widths.size() != count || lines.texts.size() != count)
    throw InputError({file.string()}, "'images', 'width' and 'text' hold different numbers of lines.");
  return std::make_unique<LineSet>(std::move(lines));
}

}  // namespace tellegen::models
