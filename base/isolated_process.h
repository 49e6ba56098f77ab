#pragma once
// Inside base only: work that may crash on hostile input is done in a process of its own.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tellegen::detail {

/// A child process, made by fork, that answers requests one by one. A crash of the child, or an answer beyond the
/// limits, costs the caller the answers, nothing else.
class IsolatedProcess {
 public:
  using Answer = std::function<std::string(const std::string& request)>;
  struct Limits {
    std::uint64_t memory_bytes = 0;  ///< beyond what the caller has
    long answer_s = 0;               ///< processor time of one answer, above 0
  };
  /// `answer` runs in the child alone, so its state lives there; the child prints nothing. Throws InputError where the
  /// system allows no further process.
  IsolatedProcess(const Answer& answer, const Limits& limits);
  ~IsolatedProcess();
  IsolatedProcess(const IsolatedProcess&) = delete;
  IsolatedProcess& operator=(const IsolatedProcess&) = delete;

  /// Nothing where the child has died. Throws InputError where `answer` has thrown one, with its message.
  std::optional<std::string> ask(const std::string& request) const;

 private:
  int socket_ = -1;
  pid_t child_ = -1;
};

}  // namespace tellegen::detail
