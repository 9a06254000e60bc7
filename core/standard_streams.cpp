#include "core/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "core/file_lock.hpp"
#include "core/printable.hpp"

namespace sortlab {
namespace {

std::atomic<int> first_error{0};  // the first reason for which output is lost
std::atomic<int> wake_file{-1};   // see stop_waiting_at

constexpr std::chrono::seconds kPatience{1};  // with readers, once this process is to end
std::optional<std::chrono::steady_clock::time_point> patience_ends;

/// Time to wait for a reader, as poll() takes it; -1: as long as it takes.
int patience_ms() {
  if (!patience_ends) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*patience_ends - std::chrono::steady_clock::now());
  return std::max(0, static_cast<int>(left.count()));
}

/// Writes what the buffer of standard output holds, also to a pipe whose writer must not wait (O_NONBLOCK): the C
/// library would drop what does not fit. Returns the bytes written, 0 where not all are.
ssize_t write_buffer(void* /*cookie*/, const char* text, std::size_t size) {
  const int error = write_patiently(STDOUT_FILENO, {text, size});
  if (error == 0) return static_cast<ssize_t>(size);
  keep_output_error(error);
  errno = error;
  return 0;
}

/// Gives standard output a buffer that write_buffer() empties.
void buffer_standard_output() {
  std::FILE* const buffered =
      fopencookie(nullptr, "w", {.read = nullptr, .write = write_buffer, .seek = nullptr, .close = nullptr});
  if (buffered == nullptr) return;
  stdout = buffered;
  setvbuf(stdout, nullptr, isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF, BUFSIZ);
}

}  // namespace

void keep_output_error(int error) {
  int none = 0;
  first_error.compare_exchange_strong(none, error);
}

void open_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0 || errno != EBADF) continue;
    open("/dev/null", O_RDWR);  // takes the least number that is free: this one
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of a file's size is an error of writing, which is told
  buffer_standard_output();
}

void outlive_readers() {
  std::signal(SIGPIPE, SIG_IGN);
}

void stop_waiting_at(int wake) {
  wake_file = wake;
}

int write_patiently(int file, std::string_view text) {
  // A pipe that is ready takes at least so much without blocking; a terminal may take less.
  const std::size_t piece = isatty(file) == 1 ? 64 : PIPE_BUF;
  while (!text.empty()) {
    std::array<pollfd, 2> files{{{.fd = file, .events = POLLOUT, .revents = 0},
                                 {.fd = patience_ends ? -1 : wake_file.load(), .events = POLLIN, .revents = 0}}};
    const int ready = poll(files.data(), files.size(), patience_ms());
    if (ready < 0 && errno != EINTR) return errno;
    if (ready > 0 && files[1].revents != 0) patience_ends = std::chrono::steady_clock::now() + kPatience;
    // A note whose reader has left is lost, and nothing else: no SIGPIPE may end the work that it is about.
    if (file == STDERR_FILENO && (files[0].revents & POLLERR) != 0) return EPIPE;
    if (ready > 0 && files[0].revents != 0) {
      const ssize_t wrote = write(file, text.data(), std::min(text.size(), piece));
      if (wrote > 0) text.remove_prefix(static_cast<std::size_t>(wrote));
      if (wrote == 0) return ENOSPC;
      if (wrote < 0 && errno != EINTR && errno != EAGAIN) return errno;
    } else if (ready == 0) {
      return ETIMEDOUT;
    }
  }
  return 0;
}

void print_now(std::string_view text) {
  flush_standard_output();
  if (const int error = write_patiently(STDOUT_FILENO, text); error != 0) keep_output_error(error);
}

void flush_standard_output() {
  errno = 0;
  if (std::fflush(stdout) != 0) keep_output_error(errno);
}

bool lost_output() {
  return first_error != 0 || std::ferror(stdout) != 0;
}

int finish_standard_output(int exit_status) {
  flush_standard_output();
  // Some network file systems report a full disk only when a file is closed.
  const int copy = dup(STDOUT_FILENO);
  if (copy >= 0 && close(copy) != 0) keep_output_error(errno);
  if (!lost_output()) return exit_status;
  std::string reason = first_error == 0 ? "cannot be written" : std::strerror(first_error);
  if (first_error == ETIMEDOUT) reason = "its reader does not read";
  tell(fmt::format("sortlab: standard output: {}; what was printed is not complete", reason));
  return exit_status == 0 ? 1 : exit_status;
}

bool is_piped_output(const char* path) {
  struct stat output {};
  return fstat(STDOUT_FILENO, &output) == 0 && S_ISFIFO(output.st_mode) && leads_to(path, STDOUT_FILENO);
}

}  // namespace sortlab
