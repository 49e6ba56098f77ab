#pragma once
// One declaration per setting. A configuration is a struct with a member function
//
//   void settings(Settings& v) {
//     v("bits", bits, "resolution of one conversion", between(1, 16));
//     v("g_max", g_max, "largest conductance", positive());   // a Quantity: text with a unit in YAML
//     v.section("range", range, "how the full scale is found");   // a struct with settings() of its own
//   }
//
// and the same declaration feeds the reader (strict), the writer (the resolved configuration kept with every result)
// and the manual (`tellegen help config`). A scalar of type T needs ScalarText<T>: bool, the integers, double,
// std::string, std::filesystem::path, Quantity, std::optional of those, and enums that have an `enum_names(E)` overload
// are provided.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tellegen/base/error.h"
#include "tellegen/base/units.h"

namespace tellegen {

/// What values a number may take, in SI; printed in messages and in the manual.
struct Allowed {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_open = false;  ///< true: `low` itself is not allowed
  bool required = false;  ///< true: the setting has no default and must be in the file
};
/// Says that a setting has no default: `v("onnx", onnx, "the network", required())`.
inline Allowed required(Allowed allowed = {}) {
  allowed.required = true;
  return allowed;
}
inline Allowed between(double low, double high) { return {low, high, false}; }
inline Allowed positive() { return {0.0, std::numeric_limits<double>::infinity(), true}; }
inline Allowed at_least(double low) { return {low, std::numeric_limits<double>::infinity(), false}; }
inline Allowed at_most(double high) { return {-std::numeric_limits<double>::infinity(), high, false}; }
template <class Q>
requires requires { Q::dimension; }
Allowed between(Q low, Q high) { return {low.si(), high.si(), false}; }

/// How a value is read from and written to the text of one YAML scalar.
/// parse throws InputError with a message that continues "name = '{text}' ..." (no place, no text: the reader knows
/// them), for example "is neither a whole number nor 'ideal'.". To read a type of your own, specialise it beside the
/// type.
template <class T, class = void>
struct ScalarText;  // parse(std::string_view) -> T; write(const T&) -> std::string; kind() -> std::string for the
                    // manual

/// One setting as a visitor sees it.
struct Setting {
  std::string name;
  std::string help;
  std::string kind;     ///< "integer", "quantity (uS, mS, S)", "one of max, percentile, analytic"
  std::string allowed;  ///< "1 to 16", "above 0", "" where everything is
  std::function<void(std::string_view)> read;  ///< parses and range-checks; throws InputError
  std::function<std::string()> write;
  bool required = false;  ///< has no default
};

/// The visitor. Reader, writer and manual derive from it; structs only call the public functions.
class Settings {
 public:
  virtual ~Settings() = default;

  template <class T>
  void operator()(const char* name, T& value, const char* help, Allowed allowed = {});

  /// A nested mapping. `value.settings(*this)` describes what is in it.
  template <class T>
  void section(const char* name, T& value, const char* help) {
    enter(name, help);
    if (entered()) value.settings(*this);
    leave();
  }
  /// A nested mapping that may be absent.
  template <class T>
  void section(const char* name, std::optional<T>& value, const char* help) {
    enter(name, help);
    if (present() && !value) value.emplace();
    if (value && entered()) value->settings(*this);
    leave();
  }
  /// A name out of a catalogue, for example device.model. Settings that depend on it are visited after it, in the same
  /// mapping.
  virtual void choice(const char* name, std::string& value, std::span<const std::string> known, const char* help) = 0;
  /// A free mapping of texts to lists of texts (sweep axes: "chip.adc.bits: [4, 6, 8]"), in file order.
  virtual void free_map(const char* name, std::vector<std::pair<std::string, std::vector<std::string>>>& value,
                        const char* help) = 0;
  /// A list of scalars; `allowed` holds for each of them.
  template <class T>
  void list(const char* name, std::vector<T>& value, const char* help, Allowed allowed = {});
  /// A list of mappings.
  template <class T>
  void list_of_sections(const char* name, std::vector<T>& value, const char* help);

  /// A check across settings: ConfigError at the place of `name` (a setting of the current mapping) unless `holds`. The
  /// reader reports it after all settings are visited, so that a misspelt key is named before what follows from it;
  /// writer and manual ignore it.
  virtual void require(bool holds, const char* name, const std::string& message) = 0;

 protected:
  virtual void visit(const Setting& setting) = 0;
  virtual void enter(const char* name, const char* help) = 0;
  virtual void leave() = 0;
  virtual bool entered() const = 0;  ///< whether the current mapping is to be descended into
  virtual bool present() const = 0;  ///< whether the current mapping is in the file
  virtual void visit_list(const char* name, const char* help, std::size_t size, std::function<void(std::size_t)> resize,
                          std::function<Setting(std::size_t)> element) = 0;
  virtual void visit_sections(const char* name, const char* help, std::size_t size,
                              std::function<void(std::size_t)> resize,
                              std::function<void(std::size_t, Settings&)> element) = 0;
};

/// Overrides "chip.adc.bits" -> "6" applied on top of a file (sweep points, --set on the command line).
using Overrides = std::vector<std::pair<std::string, std::string>>;

/// Reads `file` into `config` strictly: unknown and repeated keys, missing units, wrong dimensions, values out of range
/// are ConfigErrors with file:line:column and a proposal. Relative paths in the file stay as written.
template <class T>
void read_config(const std::filesystem::path& file, T& config, const Overrides& overrides = {});
/// The same from text; `name` stands in for the file in messages.
template <class T>
void read_config_text(std::string_view text, const std::string& name, T& config, const Overrides& overrides = {});

/// The resolved configuration as YAML: every setting, defaults included. Reading it again gives the same configuration.
template <class T>
std::string write_config(T config);

/// The manual: one row per setting, in the order of declaration. Elements of lists read "name[]".
struct ManualRow {
  std::string path, kind, allowed, default_value, help;  ///< default_value "required" where there is none
  std::string when;  ///< "device.model = ideal, generic" where the setting depends on a choice, else empty
};
template <class T>
std::vector<ManualRow> config_manual(T defaults = {});

}  // namespace tellegen

#include "tellegen/base/config_detail.h"
