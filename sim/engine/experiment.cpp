#include "tellegen/sim/engine/experiment.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>

#include "tellegen/base/safe_text.h"
#include "tellegen/sim/engine/predictions.h"

namespace tellegen::sim {
namespace {

/// Continues the setting's name.
std::string missing_text(const std::filesystem::path& path) {
  return fmt::format(
      "= '{}' does not exist. Allowed: a file, named from the working directory, from the folder of this file, or "
      "from one of the folders above it.",
      path.string());
}

}  // namespace

std::span<const std::pair<Precision, const char*>> enum_names(Precision) {
  static constexpr std::array<std::pair<Precision, const char*>, 2> names{
      {{Precision::single, "single"}, {Precision::double_, "double"}}};
  return names;
}

std::span<const std::pair<EnergyMethod, const char*>> enum_names(EnergyMethod) {
  static constexpr std::array names{std::pair{EnergyMethod::trace, "trace"},
                                    std::pair{EnergyMethod::histogram, "histogram"},
                                    std::pair{EnergyMethod::row_moments, "row_moments"}};
  return names;
}

std::span<const std::pair<ValueSource, const char*>> enum_names(ValueSource) {
  static constexpr std::array names{std::pair{ValueSource::float_network, "float"},
                                    std::pair{ValueSource::chip, "chip"}};
  return names;
}

void NetworkConfig::settings(Settings& v) {
  v("hdf5", hdf5, "the trained network, an HDF5 file in the operators of ONNX, in place of onnx");
  v("shapes", shapes,
    "a network as shapes alone, a YAML file, in place of onnx; it can be mapped and converted, not run");
  v("onnx", onnx, "the trained network, an ONNX file; hdf5 or shapes may stand in its place",
    hdf5 || shapes ? Allowed{} : required());
  const auto exists = [&](const char* name, const std::optional<std::filesystem::path>& file) {
    v.require(!file || find_input(*file, beside), name, missing_text(file.value_or("")));
  };
  exists("onnx", onnx);
  exists("hdf5", hdf5);
  exists("shapes", shapes);
  v.require(onnx.has_value() + hdf5.has_value() + shapes.has_value() <= 1, shapes ? "shapes" : "hdf5",
            "is given beside another network; allowed: one of onnx, hdf5 and shapes.");
  std::optional<std::filesystem::path> given;
  if (!data.empty()) given = data;
  v("data", given, "the test set: HDF5 with images and labels, tokens, lines of text, or sound; shapes need none",
    shapes ? Allowed{} : required());
  data = given.value_or("");
  exists("data", given);
  static const std::vector<std::string> metrics = [] {
    std::vector<std::string> names;
    for (const MetricKind& kind : metric_kinds()) names.emplace_back(kind.name);
    return names;
  }();
  v.choice("metric", metric, metrics, "what is reported as accuracy; the test set must have it");
  v("polyglu", polyglu,
    "how routed activations are used: soft, as the file has it; hard, the largest share of each token; frozen, one "
    "activation per neuron, from the calibration samples");
  v.section("intervention", intervention, "what is changed in the positive tail of gated feed-forwards");
  v.section("weights", weights, "in what form gated feed-forwards keep their weights");
  v("snr_db", snr_db,
    "signal-to-noise ratio of white noise that is added to a test set of sound, in dB, the same noise for every seed; "
    "none: as recorded",
    between(-100, 100));
}

void EvaluateConfig::settings(Settings& v) {
  v("samples", samples, "samples of the test set, from its start; 0: all", at_least(0));
  v("chips", chips, "trials: independently programmed chips", between(1, 100000));
  v("batch", batch, "samples that are worked on at once", between(1, 65536));
  v("seed", seed, "of every random draw");
  v("calibration_samples", calibration_samples,
    "samples for input ranges, ADC ranges and gains, from the end of the test set", at_least(1));
  v("snr_samples", snr_samples, "samples whose layer outputs are compared with the float network (whole batches)",
    at_least(0));
  v("precision", precision, "floating-point type of the products on the chip; double where partial sums exceed 2^24");
  v("energy", energy,
    "energies that depend on values come from the values that chips see while they infer (trace), or from statistics "
    "of values: one histogram per layer, or second moments row by row");
  v("energy_values", energy_values,
    "whose values such statistics are of: the float network's over the evaluated samples, or each chip's own over the "
    "calibration samples (slower, right where a chip's values are not the network's)");
  v("temperature", temperature,
    "of the circuits while they work, converters and arrays excepted; devices age at chip.device.temperature",
    between(Temperature::si(200), Temperature::si(450)));
}

void ExperimentConfig::settings(Settings& v) {
  v("name", name, "names the output folder; the file's stem where it is empty");
  v.require(name.empty() || is_file_name(name), "name",
            fmt::format("= '{}' cannot name a folder; allowed: up to 100 letters (a to z), digits, '.', '_', '-' and "
                        "spaces, with at least one letter or digit.",
                        printable(name)));
  v.section("network", network, "what is run");
  v.section("chip", chip, "what it runs on");
  v.section("costs", costs, "where prices come from");
  v.section("evaluate", evaluate, "how accuracy is measured");
}

std::optional<std::filesystem::path> find_input(const std::filesystem::path& path,
                                                const std::filesystem::path& beside) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path;
  if (path.is_absolute() || beside.empty()) return std::nullopt;
  fs::path folder = fs::absolute(beside).lexically_normal().parent_path();
  while (true) {
    fs::path candidate = folder / path;
    if (fs::exists(candidate, ignored)) return candidate;
    if (folder == folder.root_path()) return std::nullopt;
    folder = folder.parent_path();
  }
}

const std::filesystem::path& NetworkConfig::written() const {
  static const std::filesystem::path nothing;
  return onnx ? *onnx : hdf5 ? *hdf5 : shapes ? *shapes : nothing;
}
std::filesystem::path NetworkConfig::network_file() const { return find_input(written(), beside).value_or(written()); }
std::filesystem::path NetworkConfig::data_file() const { return find_input(data, beside).value_or(data); }

ExperimentConfig read_experiment(const std::filesystem::path& file, const Overrides& overrides) {
  ExperimentConfig config;
  config.network.beside = file;
  read_config(file, config, overrides);
  if (config.name.empty()) config.name = file_name_of(file.stem().string());
  return config;
}

std::string config_hash(const std::string& resolved_yaml) {
  std::uint64_t hash = 0xcbf29ce484222325U;  // FNV-1a
  for (const char c : resolved_yaml) {
    hash ^= static_cast<unsigned char>(c);
    hash *= 0x100000001b3U;
  }
  return fmt::format("{:016x}", hash);
}

}  // namespace tellegen::sim
