#include "tellegen/devices/measured_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>
#include <string_view>

#include "tellegen/base/error.h"
#include "tellegen/base/hdf5_file.h"
#include "tellegen/base/units.h"

namespace tellegen::devices {
namespace {

constexpr std::array<std::string_view, 3> columns = {"target_S", "age_s", "g_S"};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view field = line.substr(0, comma);
    while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) field.remove_prefix(1);
    while (!field.empty() && (field.back() == ' ' || field.back() == '\t' || field.back() == '\r')) {
      field.remove_suffix(1);
    }
    fields.push_back(field);
    if (comma == std::string_view::npos) return fields;
    line.remove_prefix(comma + 1);
  }
}

/// What cannot be a measurement, or "".
std::string objection(const ConductanceSample& sample) {
  if (!std::isfinite(sample.target_S) || sample.target_S < 0) return "target_S is to be finite and not negative";
  if (!std::isfinite(sample.age_s) || sample.age_s < 0) return "age_s is to be finite and not negative";
  if (!std::isfinite(sample.g_S)) return "g_S is to be finite";
  return "";
}

/// Reads lines, with the number of the present one for messages.
class CsvSamples {
 public:
  explicit CsvSamples(const std::filesystem::path& file) : file_(file), stream_(file) {
    if (!stream_)
      throw InputError(fmt::format("'{}' cannot be read; it is to hold measured conductances.", file.string()));
  }

  std::vector<ConductanceSample> read() {
    read_header();
    std::vector<ConductanceSample> samples;
    while (next()) samples.push_back(sample());
    return samples;
  }

 private:
  [[noreturn]] void fail(const std::string& message) const {
    throw InputError(Place{file_.string(), line_number_}, message);
  }

  /// The next line that is neither empty nor a remark.
  bool next() {
    while (std::getline(stream_, line_)) {
      ++line_number_;
      const std::size_t begin = line_.find_first_not_of(" \t\r");
      if (begin != std::string::npos && line_[begin] != '#') return true;
    }
    return false;
  }

  void read_header() {
    if (!next()) fail("The file holds no columns; allowed: target_S, age_s and g_S, then one line per sample.");
    const auto names = fields_of(line_);
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const auto found = std::find(names.begin(), names.end(), columns[c]);
      if (found == names.end()) {
        fail(fmt::format("Column '{}' is missing in '{}'; needed are target_S, age_s and g_S.", columns[c], line_));
      }
      position_[c] = static_cast<std::size_t>(found - names.begin());
    }
    width_ = names.size();
  }

  ConductanceSample sample() const {
    const auto fields = fields_of(line_);
    if (fields.size() != width_) {
      fail(fmt::format("'{}' has {} values; the header names {} columns.", line_, fields.size(), width_));
    }
    const ConductanceSample sample{number(fields, 0), number(fields, 1), number(fields, 2)};
    if (const std::string wrong = objection(sample); !wrong.empty()) fail(fmt::format("'{}': {}.", line_, wrong));
    return sample;
  }

  double number(const std::vector<std::string_view>& fields, std::size_t column) const {
    const std::string_view text = fields[position_[column]];
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
      fail(fmt::format("{} = '{}' is not a number.", columns[column], text));
    }
    return value;
  }

  std::filesystem::path file_;
  std::ifstream stream_;
  std::string line_;
  int line_number_ = 0;
  std::array<std::size_t, columns.size()> position_{};
  std::size_t width_ = 0;
};

std::vector<ConductanceSample> read_hdf5(const std::filesystem::path& file) {
  const Hdf5Reader reader(file);
  std::array<std::vector<double>, columns.size()> values;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    values[c] = reader.doubles(std::string(columns[c]));
    if (values[c].size() == values[0].size()) continue;
    throw InputError(fmt::format("'{}': {} has {} values and {} has {}; allowed: as many in each.", file.string(),
                                 columns[c], values[c].size(), columns[0], values[0].size()));
  }
  std::vector<ConductanceSample> samples;
  for (std::size_t i = 0; i < values[0].size(); ++i) {
    samples.push_back({values[0][i], values[1][i], values[2][i]});
    if (const std::string wrong = objection(samples.back()); !wrong.empty()) {
      throw InputError(fmt::format("'{}', sample {}: {}.", file.string(), i, wrong));
    }
  }
  return samples;
}

/// Quantile of sorted samples at a rank. Sample k of n stands at rank (k + 1/2) / n.
double quantile(const std::vector<double>& sorted, double rank) {
  const double position =
      std::clamp(rank * static_cast<double>(sorted.size()) - 0.5, 0.0, static_cast<double>(sorted.size() - 1));
  const std::size_t below = std::min(static_cast<std::size_t>(position), sorted.size() - 2);
  return sorted[below] + (position - static_cast<double>(below)) * (sorted[below + 1] - sorted[below]);
}

std::string text(double value_SI, const Dimension& dimension) { return write_quantity(value_SI, dimension); }

}  // namespace

std::vector<ConductanceSample> read_samples(const std::filesystem::path& file) {
  const std::string extension = file.extension().string();
  if (extension == ".h5" || extension == ".hdf5") return read_hdf5(file);
  return CsvSamples(file).read();
}

double MeasuredQuantiles::rank(std::size_t node) {
  const std::size_t step = node % side_nodes;
  const auto halving = static_cast<int>(step / nodes_per_halving);
  const double within = static_cast<double>(step % nodes_per_halving) / nodes_per_halving;
  const double rank = std::ldexp(1 + within, halving - halvings - 1);
  return node < side_nodes ? rank : 1 - rank;
}

MeasuredQuantiles::MeasuredQuantiles(const std::vector<ConductanceSample>& samples, const std::string& name) {
  std::map<double, std::map<double, std::vector<double>>> groups;  // by age, then by target
  for (const ConductanceSample& sample : samples) {
    groups[sample.age_s][sample.target_S].push_back(sample.g_S);
    targets_S_.push_back(sample.target_S);
  }
  std::sort(targets_S_.begin(), targets_S_.end());
  targets_S_.erase(std::unique(targets_S_.begin(), targets_S_.end()), targets_S_.end());
  if (targets_S_.size() < 2) {
    throw InputError(
        fmt::format("'{}' has samples of {} target(s); a device needs two or more.", name, targets_S_.size()));
  }
  for (auto& [age_s, levels] : groups) {
    ages_s_.push_back(age_s);
    for (const double target_S : targets_S_) {
      std::vector<double>& g_S = levels[target_S];
      if (g_S.size() < fewest_samples) {
        throw InputError(fmt::format(
            "'{}' has {} sample(s) of target {} at age {}; needed are {} or more of every target at every age.", name,
            g_S.size(), text(target_S, Conductance::dimension), text(age_s, Time::dimension), fewest_samples));
      }
      std::sort(g_S.begin(), g_S.end());
      for (std::size_t k = 0; k < nodes; ++k) {
        quantiles_S_.push_back(quantile(g_S, rank(k)));
      }
    }
  }
}

std::vector<float> MeasuredQuantiles::at_age(double age_s) const {
  const std::size_t size = targets_S_.size() * nodes;
  const auto after = std::upper_bound(ages_s_.begin(), ages_s_.end(), age_s);
  const std::size_t next = std::min(static_cast<std::size_t>(after - ages_s_.begin()), ages_s_.size() - 1);
  const std::size_t before = after == ages_s_.begin() ? 0 : static_cast<std::size_t>(after - ages_s_.begin()) - 1;
  double weight = 0;
  if (next != before) {
    // An age of zero has no logarithm: from there to the first later age the step is linear in time.
    weight = ages_s_[before] > 0 ? std::log(age_s / ages_s_[before]) / std::log(ages_s_[next] / ages_s_[before])
                                 : age_s / ages_s_[next];
  }
  std::vector<float> table(size);
  for (std::size_t i = 0; i < size; ++i) {
    const double from_S = quantiles_S_[before * size + i], to_S = quantiles_S_[next * size + i];
    table[i] = static_cast<float>(from_S + weight * (to_S - from_S));
  }
  return table;
}

}  // namespace tellegen::devices
