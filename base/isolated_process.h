#pragma once
// Inside base only: work that may crash on hostile input is done in a process of its own.

#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace tellegen::detail {

/// A child process, made by fork, that answers requests one by one. A crash of the child, or an answer that takes
/// longer than two minutes, costs the caller one answer, nothing else.
class IsolatedProcess {
 public:
  using Answer = std::function<std::string(const std::string& request)>;
  /// `answer` runs in the child alone, so its state lives there; the child prints nothing, and may take `memory_bytes`
  /// beyond what the caller has. Throws InputError where the system allows no further process.
  IsolatedProcess(const Answer& answer, std::uint64_t memory_bytes);
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
