#include "harness/run/signals.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "core/printable.hpp"
#include "core/standard_streams.hpp"

namespace sortlab {
namespace {

constexpr std::array kStops{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF};

// Data that the handlers read, written before they are installed.
std::array<std::string, kStops.size()> last_words;
std::array<struct sigaction, kStops.size()> stops_before;
std::atomic<bool> holding{false};
std::atomic<int> first_signal{0};
std::atomic<bool> another_signal{false};
int wake_file = -1;
std::atomic<std::uint32_t> times_continued{0};
struct sigaction continue_before;

void on_stop(int number) {
  const int error = errno;
  if (!holding.load()) {
    pollfd standard_error{.fd = STDERR_FILENO, .events = POLLOUT, .revents = 0};
    if (poll(&standard_error, 1, 1000) == 0) _exit(signal_exit_status(number));  // its reader does not read
    for (std::size_t i = 0; i < kStops.size(); ++i) {
      if (kStops[i] == number && write(STDERR_FILENO, last_words[i].data(), last_words[i].size()) < 0) break;
    }
    _exit(signal_exit_status(number));
  }
  int none = 0;
  if (!first_signal.compare_exchange_strong(none, number)) another_signal = true;
  const std::uint64_t one = 1;
  if (write(wake_file, &one, sizeof one) < 0) errno = error;  // a signal handler cannot report it
  errno = error;
}

void on_continue(int) {
  times_continued.fetch_add(1);
}

struct sigaction handling(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return action;
}

}  // namespace

StopSignals::StopSignals(const std::string& kept) {
  holding = false;
  first_signal = 0;
  another_signal = false;
  wake_file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  stop_waiting_at(wake_file);
  for (std::size_t i = 0; i < kStops.size(); ++i) {
    last_words[i] = printable(fmt::format("sortlab: stopped by {}: {}", signal_name(kStops[i]), kept)) + "\n";
    const struct sigaction action = handling(on_stop, SA_RESTART);
    sigaction(kStops[i], nullptr, &stops_before[i]);
    if (stops_before[i].sa_handler != SIG_IGN) sigaction(kStops[i], &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (std::size_t i = 0; i < kStops.size(); ++i) sigaction(kStops[i], &stops_before[i], nullptr);
  stop_waiting_at(-1);
  close(wake_file);
}

void StopSignals::hold() {
  holding = true;
}

int StopSignals::caught() const {
  return first_signal.load();
}

bool StopSignals::insists() const {
  return another_signal.load();
}

int StopSignals::wake() const {
  return wake_file;
}

std::string signal_name(int number) {
  const char* abbreviation = sigabbrev_np(number);
  return abbreviation == nullptr ? fmt::format("signal {}", number) : fmt::format("SIG{}", abbreviation);
}

Continuations::Continuations() {
  const struct sigaction action = handling(on_continue, SA_RESTART);
  sigaction(SIGCONT, &action, &continue_before);
}

Continuations::~Continuations() {
  sigaction(SIGCONT, &continue_before, nullptr);
}

std::uint32_t Continuations::count() const {
  return times_continued.load();
}

}  // namespace sortlab
