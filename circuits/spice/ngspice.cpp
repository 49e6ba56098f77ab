#include "tellegen/circuits/spice/ngspice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tellegen/base/error.h"
#include "tellegen/base/external_program.h"
#include "tellegen/base/output_file.h"
#include "tellegen/base/temporary_file.h"
#include "tellegen/circuits/spice/raw_file.h"

namespace tellegen::circuits {
namespace {

std::vector<double> outputs_of(const Deck& deck, const std::string& content) {
  const auto point = first_point(content);
  std::vector<double> out;
  for (const DeckOutput& output : deck.outputs) {
    double sum = 0;
    for (const std::string& vector : output.vectors) {
      const auto found = point.find(vector);
      if (found == point.end()) throw std::runtime_error("ngspice has no answer for '" + vector + "'.");
      sum += deck.imaginary ? found->second.imag() : found->second.real();
    }
    out.push_back(output.factor * sum);
  }
  return out;
}

}  // namespace

std::optional<std::vector<double>> run_ngspice(const Deck& deck, const std::filesystem::path& folder) {
  const bool cut_off = std::all_of(deck.outputs.begin(), deck.outputs.end(),
                                   [](const DeckOutput& output) { return output.vectors.empty(); });
  // Without any output there is nothing to run, and ngspice refuses an empty list of vectors.
  if (cut_off) return std::vector<double>(deck.outputs.size());
  const TemporaryFile file(folder / "ngspice.cir"), raw(folder / "ngspice.raw"), words(folder / "ngspice.log");
  write_text_file(file.path(), deck.text);
  const auto code = run_external({"ngspice", "-b", "-r", raw.path().string(), file.path().string()}, words.path());
  if (!code) return std::nullopt;
  const std::string content = bytes_of(raw.path());
  if (*code != 0 || content.empty()) {
    throw std::runtime_error(fmt::format("ngspice failed: {}", bytes_of(words.path())));
  }
  return outputs_of(deck, content);
}

double relative_difference(std::span<const double> ours, std::span<const double> theirs) {
  TELLEGEN_ASSERT(ours.size() == theirs.size());
  double difference = 0;
  double largest = 0;
  for (std::size_t k = 0; k < ours.size(); ++k) {
    difference = std::max(difference, std::fabs(ours[k] - theirs[k]));
    largest = std::max(largest, std::fabs(theirs[k]));
  }
  return largest > 0 ? difference / largest : difference;
}

}  // namespace tellegen::circuits
