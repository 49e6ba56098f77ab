#pragma once
// Three kinds of failure: the user's input (InputError, exit code 2), valid input that cannot be done
// (Refusal as a value inside, RefusedError at the border, exit code 3), and our own mistake (TELLEGEN_ASSERT, exit code
// 1).

#include <stdexcept>
#include <string>
#include <string_view>

namespace tellegen {

/// Where in a user's file something stands; line and column count from 1, 0 means unknown.
struct Place {
  std::string file;
  int line = 0;
  int column = 0;
};
/// "chip.yaml:4:52", or the file alone.
std::string to_string(const Place& place);

/// The user can fix it. The message answers: where, what, got, allowed, remedy; full sentences, place first.
class InputError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
  InputError(const Place& place, const std::string& message) : std::runtime_error(to_string(place) + ": " + message) {}
};

/// An InputError that comes from a configuration file.
class ConfigError : public InputError {
 public:
  using InputError::InputError;
};

/// A number-with-unit text that cannot be read: "'100' needs a number and a unit (uS, mS)."; the config reader adds
/// place and name.
class UnitError : public InputError {
 public:
  UnitError(std::string_view text, const std::string& reason)
      : InputError("'" + std::string(text) + "' " + reason), reason_(reason) {}
  /// The message without the text.
  const std::string& reason() const { return reason_; }

 private:
  std::string reason_;
};

/// "No" as an answer: a planner or a solver says why, and what would help.
struct Refusal {
  std::string reason;
  std::string remedy;
};

/// A Refusal that has reached the border of the program (exit code 3).
class RefusedError : public std::runtime_error {
 public:
  explicit RefusedError(const Refusal& refusal) : std::runtime_error(refusal.reason + " " + refusal.remedy) {}
};

/// The nearest of `known` to `name` by edit distance, or "" where nothing is near.
template <class Range>
std::string nearest(const std::string& name, const Range& known);
/// Least number of inserted, deleted, replaced characters and swapped neighbours.
int edit_distance(const std::string& a, const std::string& b);

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

template <class Range>
std::string nearest(const std::string& name, const Range& known) {
  std::string best;
  int least = static_cast<int>(name.size()) / 3 + 2;
  for (const std::string& candidate : known) {
    const int distance = edit_distance(name, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

}  // namespace tellegen

/// We are wrong if this fails. On in every build but inside hot loops; throws std::logic_error.
#define TELLEGEN_ASSERT(condition) \
  ((condition) ? static_cast<void>(0) : ::tellegen::assertion_failed(#condition, __FILE__, __LINE__))
