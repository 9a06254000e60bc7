#include "core/standard_streams.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <string>

#include "core/printable.hpp"

namespace sortlab {
namespace {

std::atomic<int> first_error{0};  // the first reason for which output is lost

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
}

void outlive_readers() {
  std::signal(SIGPIPE, SIG_IGN);
}

void print_now(std::string_view text) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) keep_output_error(errno);
  flush_standard_output();
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
  const std::string reason = first_error == 0 ? "cannot be written" : std::strerror(first_error);
  tell(fmt::format("sortlab: standard output: {}; what was printed is not complete", reason));
  return exit_status == 0 ? 1 : exit_status;
}

}  // namespace sortlab
