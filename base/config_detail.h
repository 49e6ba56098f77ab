#pragma once
// The templates of config.h, kept thin: everything that needs no type is in config_*.cpp. Included by config.h only.

#include <charconv>
#include <cmath>
#include <concepts>
#include <memory>

namespace tellegen {
namespace detail {

/// A whole number that its type cannot hold; where the setting has a range of its own, that is what the message names.
class OverflowError : public InputError {
 public:
  using InputError::InputError;
};

/// Texts of plain numbers; independent of the locale. Throw InputError that continues "'{text}' ...".
double read_number(std::string_view text);
std::string write_number(double value);
double read_quantity(std::string_view text, const Dimension& dimension);
std::int64_t read_integer(std::string_view text, std::int64_t low, std::int64_t high);
std::uint64_t read_unsigned(std::string_view text, std::uint64_t high);
bool read_bool(std::string_view text);

/// "1 to 16", "above 0", or ""; numbers of a quantity get its unit.
std::string allowed_text(const Allowed& allowed, const Dimension* dimension);
std::string out_of_range_message(const Allowed& allowed, const Dimension* dimension);
/// Throws InputError with that message.
void check_allowed(double value, const Allowed& allowed, const Dimension* dimension);
/// "is not known. Known values: a, b; did you mean 'a'?"
std::string unknown_value_message(std::string_view text, const std::string& plural, std::span<const std::string> known);

template <class T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <class T>
concept QuantityType = requires(T q) {
  { T::dimension } -> std::convertible_to<Dimension>;
  q.si();
};
template <class T>
concept NamedEnum = std::is_enum_v<T> && requires(T e) {
  enum_names(e);
};

template <class T>
const Dimension* dimension_of() {
  if constexpr (QuantityType<T>) return &T::dimension;
  return nullptr;
}

/// Range check of what has a size; texts, names and switches pass.
template <class T>
void check(const T& value, const Allowed& allowed) {
  if constexpr (QuantityType<T>)
    check_allowed(value.si(), allowed, &T::dimension);
  else if constexpr (Number<T>)
    check_allowed(static_cast<double>(value), allowed, nullptr);
}
template <class T>
void check(const std::optional<T>& value, const Allowed& allowed) {
  if (value) check(*value, allowed);
}

template <class T>
struct Scalar {
  using type = T;
};
template <class T>
struct Scalar<std::optional<T>> {
  using type = T;
};

/// Reads a value and checks its range.
template <class T>
T read_allowed(std::string_view text, const Allowed& allowed) {
  try {
    T parsed = ScalarText<T>::parse(text);
    check(parsed, allowed);
    return parsed;
  } catch (const OverflowError&) {
    if (allowed_text(allowed, nullptr).empty()) throw;
    throw InputError(out_of_range_message(allowed, nullptr));
  }
}

template <class T>
Setting make_setting(const char* name, T& value, const char* help, const Allowed& allowed) {
  Setting setting;
  setting.name = name;
  setting.help = help;
  setting.kind = ScalarText<T>::kind();
  setting.allowed = allowed_text(allowed, dimension_of<typename Scalar<T>::type>());
  setting.required = allowed.required;
  setting.read = [&value, allowed](std::string_view text) { value = read_allowed<T>(text, allowed); };
  setting.write = [&value] { return ScalarText<T>::write(value); };
  return setting;
}

/// Reads a tree of text into the settings that visit it.
class ConfigReader final : public Settings {
 public:
  static ConfigReader of_file(const std::filesystem::path& file, const Overrides& overrides);
  static ConfigReader of_text(std::string_view text, const std::string& name, const Overrides& overrides);
  ~ConfigReader() override;
  ConfigReader(ConfigReader&&) noexcept;

  /// After all settings are visited: reports unknown keys, then missing settings, then failed requirements.
  void finish() const;

  void choice(const char* name, std::string& value, std::span<const std::string> known, const char* help) override;
  void free_map(const char* name, std::vector<std::pair<std::string, std::vector<std::string>>>& value,
                const char* help) override;
  void require(bool holds, const char* name, const std::string& message) override;

 protected:
  void visit(const Setting& setting) override;
  void enter(const char* name, const char* help) override;
  void leave() override;
  bool entered() const override { return true; }
  bool present() const override;
  void visit_list(const char* name, const char* help, std::size_t size, std::function<void(std::size_t)> resize,
                  std::function<Setting(std::size_t)> element) override;
  void visit_sections(const char* name, const char* help, std::size_t size, std::function<void(std::size_t)> resize,
                      std::function<void(std::size_t, Settings&)> element) override;

 private:
  struct State;
  explicit ConfigReader(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

/// Writes what visits it as YAML.
class ConfigWriter final : public Settings {
 public:
  std::string text() const { return text_; }

  void choice(const char* name, std::string& value, std::span<const std::string> known, const char* help) override;
  void free_map(const char* name, std::vector<std::pair<std::string, std::vector<std::string>>>& value,
                const char* help) override;
  void require(bool, const char*, const std::string&) override {}

 protected:
  void visit(const Setting& setting) override;
  void enter(const char* name, const char* help) override;
  void leave() override;
  bool entered() const override { return true; }
  bool present() const override { return false; }
  void visit_list(const char* name, const char* help, std::size_t size, std::function<void(std::size_t)> resize,
                  std::function<Setting(std::size_t)> element) override;
  void visit_sections(const char* name, const char* help, std::size_t size, std::function<void(std::size_t)> resize,
                      std::function<void(std::size_t, Settings&)> element) override;

 private:
  void line(const std::string& text);
  std::string text_;
  int depth_ = 0;
  std::vector<std::size_t> starts_;  ///< where the contents of each open mapping begin in text_
  bool item_start_ = false;          ///< the next line is the first of a list item
};

/// Collects rows. `forced` sets choices (by path), so that the settings of every entry of a catalogue can be listed.
class ConfigManual final : public Settings {
 public:
  explicit ConfigManual(std::map<std::string, std::string> forced = {}) : forced_(std::move(forced)) {}
  struct Choice {
    std::string path, mapping, value;
    std::vector<std::string> known;
  };
  const std::vector<ManualRow>& rows() const { return rows_; }
  const std::vector<Choice>& choices() const { return choices_; }

  void choice(const char* name, std::string& value, std::span<const std::string> known, const char* help) override;
  void free_map(const char* name, std::vector<std::pair<std::string, std::vector<std::string>>>& value,
                const char* help) override;
  void require(bool, const char*, const std::string&) override {}

 protected:
  void visit(const Setting& setting) override;
  void enter(const char* name, const char* help) override;
  void leave() override;
  bool entered() const override { return true; }
  bool present() const override { return true; }  // optional mappings are described too
  void visit_list(const char* name, const char* help, std::size_t size, std::function<void(std::size_t)> resize,
                  std::function<Setting(std::size_t)> element) override;
  void visit_sections(const char* name, const char* help, std::size_t size, std::function<void(std::size_t)> resize,
                      std::function<void(std::size_t, Settings&)> element) override;

 private:
  std::string path(const std::string& name) const;
  std::map<std::string, std::string> forced_;
  std::vector<std::string> prefix_;
  std::vector<ManualRow> rows_;
  std::vector<Choice> choices_;
};

/// The manual over all choices; `visit` runs the settings of a fresh configuration.
std::vector<ManualRow> manual_of(const std::function<void(Settings&)>& visit);

template <class T>
void read_with(ConfigReader reader, T& config) {
  T result = config;  // a configuration that cannot be read leaves the old one as it was
  result.settings(reader);
  reader.finish();
  config = std::move(result);
}

}  // namespace detail

template <>
struct ScalarText<bool> {
  static bool parse(std::string_view text) { return detail::read_bool(text); }
  static std::string write(bool value) { return value ? "true" : "false"; }
  static std::string kind() { return "true or false"; }
};

template <class T>
struct ScalarText<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, bool>>> {
  static T parse(std::string_view text) {
    using Limits = std::numeric_limits<T>;
    if constexpr (std::is_signed_v<T>)
      return static_cast<T>(detail::read_integer(text, Limits::min(), Limits::max()));
    else
      return static_cast<T>(detail::read_unsigned(text, Limits::max()));
  }
  static std::string write(T value) { return std::to_string(value); }
  static std::string kind() { return "whole number"; }
};

template <>
struct ScalarText<double> {
  static double parse(std::string_view text) { return detail::read_number(text); }
  static std::string write(double value) { return detail::write_number(value); }
  static std::string kind() { return "number"; }
};

template <>
struct ScalarText<std::string> {
  static std::string parse(std::string_view text) { return std::string(text); }
  static std::string write(const std::string& value) { return value; }
  static std::string kind() { return "text"; }
};

template <>
struct ScalarText<std::filesystem::path> {
  static std::filesystem::path parse(std::string_view text) {
    if (text.empty()) throw InputError("is empty; a path is needed.");
    return text;
  }
  static std::string write(const std::filesystem::path& value) { return value.string(); }
  static std::string kind() { return "path"; }
};

template <class T>
struct ScalarText<T, std::enable_if_t<detail::QuantityType<T>>> {
  static T parse(std::string_view text) { return T::si(detail::read_quantity(text, T::dimension)); }
  static std::string write(const T& value) { return write_quantity(value.si(), T::dimension); }
  static std::string kind() { return "quantity (" + known_units(T::dimension) + ")"; }
};

/// `none` is the absent value.
template <class T>
struct ScalarText<std::optional<T>> {
  static std::optional<T> parse(std::string_view text) {
    if (text == "none") return std::nullopt;
    return ScalarText<T>::parse(text);
  }
  static std::string write(const std::optional<T>& value) { return value ? ScalarText<T>::write(*value) : "none"; }
  static std::string kind() { return ScalarText<T>::kind() + ", or none"; }
};

template <class T>
struct ScalarText<T, std::enable_if_t<detail::NamedEnum<T>>> {
  static T parse(std::string_view text) {
    for (const auto& [value, name] : enum_names(T{})) {
      if (text == name) return value;
    }
    throw InputError(detail::unknown_value_message(text, "values", names()));
  }
  static std::string write(const T& value) {
    for (const auto& [known, name] : enum_names(T{})) {
      if (known == value) return name;
    }
    TELLEGEN_ASSERT(!"the enumerator has a name");
    return {};
  }
  static std::string kind() {
    std::string text = "one of ";
    for (const std::string& name : names()) text += (text == "one of " ? "" : ", ") + name;
    return text;
  }

 private:
  static std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const auto& [value, name] : enum_names(T{})) result.emplace_back(name);
    return result;
  }
};

template <class T>
void Settings::operator()(const char* name, T& value, const char* help, Allowed allowed) {
  visit(detail::make_setting(name, value, help, allowed));
}

template <class T>
void Settings::list(const char* name, std::vector<T>& value, const char* help, Allowed allowed) {
  static_assert(!std::is_same_v<T, bool>, "std::vector<bool> has no elements to refer to");
  visit_list(
      name, help, value.size(), [&](std::size_t size) { value.resize(size); },
      [&, allowed](std::size_t i) { return detail::make_setting(name, value[i], help, allowed); });
}

template <class T>
void Settings::list_of_sections(const char* name, std::vector<T>& value, const char* help) {
  visit_sections(
      name, help, value.size(), [&](std::size_t size) { value.resize(size); },
      [&](std::size_t i, Settings& visitor) { value[i].settings(visitor); });
}

template <class T>
void read_config(const std::filesystem::path& file, T& config, const Overrides& overrides) {
  detail::read_with(detail::ConfigReader::of_file(file, overrides), config);
}

template <class T>
void read_config_text(std::string_view text, const std::string& name, T& config, const Overrides& overrides) {
  detail::read_with(detail::ConfigReader::of_text(text, name, overrides), config);
}

template <class T>
std::string write_config(T config) {
  detail::ConfigWriter writer;
  config.settings(writer);
  return writer.text();
}

template <class T>
std::vector<ManualRow> config_manual(T defaults) {
  return detail::manual_of([&](Settings& visitor) {
    T fresh = defaults;
    fresh.settings(visitor);
  });
}

}  // namespace tellegen
