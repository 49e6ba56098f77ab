#pragma once
// The text of the exception that `action` must throw.

#include <string>

namespace tellegen::testing_support {

template <class Error, class Action>
std::string message_of(Action&& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace tellegen::testing_support
