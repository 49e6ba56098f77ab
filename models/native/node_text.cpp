#include "tellegen/models/native/node_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

#include "tellegen/base/error.h"

namespace tellegen::models::native {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
         c == '/' || c == '-' || c == '+';
}

std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) {
    if (c == '\'' || c == '\\') result += '\\';
    result += c;
  }
  return result + "'";
}

/// A name as it is, where nothing in it could be taken for something else.
std::string name_text(const std::string& name) {
  if (name.empty()) return "_";
  return name != "_" && std::all_of(name.begin(), name.end(), is_word) ? name : quoted(name);
}

/// Whole numbers stay apart from others by a point or an exponent. Reading gives the same bits.
std::string float_text(float value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
}

template <class T, class Text>
std::string list_text(const std::vector<T>& values, Text text) {
  std::string result;
  for (const T& value : values) result += (result.empty() ? "" : ", ") + text(value);
  return "[" + result + "]";
}

std::string value_text(const onnx::Attribute& attribute, const NameTensor& name) {
  if (attribute.tensor) return "@" + name_text(name(attribute.tensor));
  if (!attribute.text.empty()) return quoted(attribute.text);
  if (!attribute.texts.empty()) return list_text(attribute.texts, quoted);
  if (!attribute.integers.empty())
    return list_text(attribute.integers, [](std::int64_t value) { return std::to_string(value); });
  if (!attribute.numbers.empty()) return list_text(attribute.numbers, float_text);
  const bool has_fraction = attribute.integer == 0 && attribute.number != 0;
  return has_fraction ? float_text(attribute.number) : std::to_string(attribute.integer);
}

/// A number of an attribute, which is a whole number, too, where it has no fraction.
struct Number {
  float number = 0;
  std::optional<std::int64_t> integer;
};

/// Nothing where the text is no number.
std::optional<Number> read_number(std::string_view text) {
  Number result;
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  if (const auto [last, error] = std::from_chars(text.data(), end, whole); last == end && error == std::errc{}) {
    result.integer = whole;
    result.number = static_cast<float>(whole);
    return result;
  }
  const auto [last, error] = std::from_chars(text.data(), end, result.number);
  if (last != end || error != std::errc{}) return std::nullopt;
  return result;
}

class Parser {
 public:
  Parser(std::string_view text, const FindTensor& find) : text_(text), find_(find) {}

  onnx::GraphNode parse() {
    onnx::GraphNode node;
    std::string first = name();
    if (take(':')) {
      node.name = std::move(first);
      if (node.name.empty()) throw InputError("has an empty name; leave the name and the colon out.");
      first = name();
    }
    node.outputs.push_back(std::move(first));
    while (take(',')) node.outputs.push_back(name());
    expect('=');
    node.op_type = name();
    if (node.op_type.empty()) throw InputError("names no operator.");
    expect('(');
    if (!take(')')) {
      do argument(node);
      while (take(','));
      expect(')');
    }
    if (skip() != '\0') fail("the end of the line");
    return node;
  }

 private:
  /// The next character that is no space, or '\0' at the end.
  char skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char wanted) {
    if (skip() != wanted) return false;
    ++at_;
    return true;
  }
  [[noreturn]] void fail(const std::string& wanted) {
    const std::string found = skip() == '\0' ? "the end of the line" : fmt::format("'{}'", text_.substr(at_, 20));
    throw InputError(fmt::format("has {} where {} is needed. A node reads 'y = Op(a, b, key=1)'.", found, wanted));
  }
  void expect(char wanted) {
    if (!take(wanted)) fail(fmt::format("'{}'", wanted));
  }

  std::string word() {
    skip();
    const std::size_t first = at_;
    while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    if (at_ == first) fail("a name");
    return std::string(text_.substr(first, at_ - first));
  }
  std::string quote() {
    ++at_;
    std::string result;
    for (;; ++at_) {
      if (at_ >= text_.size()) throw InputError("ends inside of quotes.");
      if (text_[at_] == '\'') break;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      result += text_[at_];
    }
    ++at_;
    return result;
  }
  /// A name, or "" for '_'.
  std::string name() {
    if (skip() == '\'') return quote();
    const std::string plain = word();
    return plain == "_" ? "" : plain;
  }

  void argument(onnx::GraphNode& node) {
    const std::string key = name();
    if (!take('=')) {
      if (!node.attributes.empty()) throw InputError("has the input '" + key + "' behind an attribute.");
      node.inputs.push_back(key);
      return;
    }
    onnx::Attribute attribute;
    attribute.name = key;
    for (const onnx::Attribute& known : node.attributes)
      if (known.name == key) throw InputError("has the attribute '" + key + "' twice.");
    value(attribute);
    node.attributes.push_back(std::move(attribute));
  }

  void value(onnx::Attribute& attribute) {
    if (take('@')) {
      attribute.tensor = find_(name());
    } else if (take('[')) {
      if (take(']')) return;
      do element(attribute);
      while (take(','));
      expect(']');
      // A list of whole numbers may stand for floats; with one fraction in it, only for these.
      if (attribute.integers.size() != attribute.numbers.size()) attribute.integers.clear();
      if (!attribute.texts.empty() && !attribute.numbers.empty())
        throw InputError("has numbers and texts in the attribute '" + attribute.name + "'.");
    } else if (skip() == '\'') {
      attribute.text = quote();
    } else {
      const Number read = number(attribute);
      attribute.number = read.number;
      attribute.integer = read.integer.value_or(0);
    }
  }

  void element(onnx::Attribute& attribute) {
    if (skip() == '\'') {
      attribute.texts.push_back(quote());
      return;
    }
    const Number read = number(attribute);
    attribute.numbers.push_back(read.number);
    if (read.integer) attribute.integers.push_back(*read.integer);
  }

  Number number(const onnx::Attribute& attribute) {
    const std::string plain = word();
    const std::optional<Number> read = read_number(plain);
    if (!read)
      throw InputError("has the value '" + plain + "' in the attribute '" + attribute.name +
                       "'; a number, a text in quotes, a list of them or @dataset is needed.");
    return *read;
  }

  std::string_view text_;
  const FindTensor& find_;
  std::size_t at_ = 0;
};

}  // namespace

onnx::GraphNode parse_node(std::string_view text, const FindTensor& find) { return Parser(text, find).parse(); }

std::string node_text(const onnx::GraphNode& node, const NameTensor& name) {
  std::string outputs, arguments;
  for (const std::string& output : node.outputs) outputs += (outputs.empty() ? "" : ", ") + name_text(output);
  for (const std::string& input : node.inputs) arguments += (arguments.empty() ? "" : ", ") + name_text(input);
  for (const onnx::Attribute& attribute : node.attributes)
    arguments += (arguments.empty() ? "" : ", ") + name_text(attribute.name) + "=" + value_text(attribute, name);
  return name_text(node.name) + ": " + outputs + " = " + name_text(node.op_type) + "(" + arguments + ")";
}

}  // namespace tellegen::models::native
