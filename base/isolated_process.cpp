#include "tellegen/base/isolated_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <fstream>
#include <system_error>

#include "tellegen/base/error.h"

namespace tellegen::detail {
namespace {

enum class Kind : std::uint64_t { answer, input_error };

struct Message {
  Kind kind = Kind::answer;
  std::string text;
};

bool send_bytes(int socket, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t sent = send(socket, data, size, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    data += sent;
    size -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_bytes(int socket, char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t received = recv(socket, data, size, 0);
    if (received < 0 && errno == EINTR) continue;
    if (received <= 0) return false;
    data += received;
    size -= static_cast<std::size_t>(received);
  }
  return true;
}

bool send_message(int socket, const Message& message) {
  const std::array<std::uint64_t, 2> head = {static_cast<std::uint64_t>(message.kind), message.text.size()};
  return send_bytes(socket, reinterpret_cast<const char*>(head.data()), sizeof head) &&
         send_bytes(socket, message.text.data(), message.text.size());
}

std::optional<Message> receive_message(int socket) {
  // Memory grows with what arrives: a child about to crash may promise any length.
  constexpr std::uint64_t step = std::uint64_t{1} << 24;
  std::array<std::uint64_t, 2> head{};
  if (!receive_bytes(socket, reinterpret_cast<char*>(head.data()), sizeof head)) return std::nullopt;
  Message message{static_cast<Kind>(head[0]), {}};
  while (message.text.size() < head[1]) {
    const std::size_t start = message.text.size(), more = std::min(step, head[1] - start);
    message.text.resize(start + more);
    if (!receive_bytes(socket, message.text.data() + start, more)) return std::nullopt;
  }
  return message;
}

/// The child must neither print (the C library does where it finds its heap damaged), nor leave a core file, nor stop
/// before the caller at an interrupt from the keyboard.
void make_quiet() {
  const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {
    dup2(nowhere, STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
  }
  const rlimit no_core{0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  std::signal(SIGINT, SIG_IGN);
  for (const int signal : {SIGPROF, SIGTERM, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
}

/// A damaged file can make a library ask for any amount.
void limit_memory(std::uint64_t further_bytes) {
  std::ifstream sizes("/proc/self/statm");  // pages: size, resident, shared, text, library, data and stack
  std::uint64_t data_pages = 0;
  for (int field = 0; field < 6; ++field) sizes >> data_pages;
  rlimit limit{};
  if (!sizes || getrlimit(RLIMIT_DATA, &limit) != 0) return;
  const std::uint64_t bytes = data_pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + further_bytes;
  limit.rlim_cur = std::min<rlim_t>(limit.rlim_cur, bytes);
  setrlimit(RLIMIT_DATA, &limit);
}

/// It can also make a library go round for ever: then the timer ends the process.
void start_timer(long seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

Message answer_of(const IsolatedProcess::Answer& answer, const std::string& request) {
  try {
    return {Kind::answer, answer(request)};
  } catch (const InputError& error) {
    return {Kind::input_error, error.what()};
  }
}

/// Ends with the process, without what the caller has registered for its own end.
[[noreturn]] void serve(int socket, const IsolatedProcess::Answer& answer,
                        const IsolatedProcess::Limits& limits) noexcept {
  try {
    make_quiet();
    limit_memory(limits.memory_bytes);
    while (const auto request = receive_message(socket)) {
      start_timer(limits.answer_s);
      if (!send_message(socket, answer_of(answer, request->text))) break;
      start_timer(0);
    }
  } catch (...) {
    _exit(1);  // the caller sees the closed socket
  }
  _exit(0);
}

[[noreturn]] void no_process() {
  throw InputError("No further process can be started to read a file in (" + std::generic_category().message(errno) +
                   "). End other programs or raise the limit on processes.");
}

}  // namespace

IsolatedProcess::IsolatedProcess(const Answer& answer, const Limits& limits) {
  std::array<int, 2> ends{};
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) no_process();
  child_ = fork();
  if (child_ == 0) {
    close(ends[0]);
    serve(ends[1], answer, limits);
  }
  close(ends[1]);
  socket_ = ends[0];
  if (child_ < 0) {
    const int reason = errno;
    close(socket_);
    errno = reason;
    no_process();
  }
}

IsolatedProcess::~IsolatedProcess() {
  close(socket_);
  kill(child_, SIGKILL);
  while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
  }
}

std::optional<std::string> IsolatedProcess::ask(const std::string& request) const {
  if (!send_message(socket_, {Kind::answer, request})) return std::nullopt;
  std::optional<Message> message = receive_message(socket_);
  if (!message) return std::nullopt;
  if (message->kind == Kind::input_error) throw InputError(message->text);
  return std::move(message->text);
}

}  // namespace tellegen::detail
