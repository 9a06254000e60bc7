#include "harness/run/signals.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "core/printable.hpp"
#include "core/standard_streams.hpp"

namespace sortlab {
namespace {

constexpr std::array kRequests{SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2};
constexpr std::array kOtherStops{SIGALRM, SIGVTALRM, SIGPROF, SIGSTKFLT, SIGSYS};
constexpr std::array kFaults{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGPIPE};

// Data that the handlers read, written before they are installed.
std::array<std::string, NSIG> last_words;           // the index is the signal
std::array<struct sigaction, NSIG> actions_before;  // the index is the signal
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
    const std::string& words = last_words[static_cast<std::size_t>(number)];
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words.data(), words.size());  // the last that is done
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

void on_fault(int number, siginfo_t* info, void* /*context*/) {
  const bool was_sent = info->si_code <= 0;  // kill() and its like give such codes, and the kernel's own are positive
  if (was_sent && info->si_pid != getpid()) return;
  signal(number, SIG_DFL);
  raise(number);
}

struct sigaction handling(void (*handler)(int), int flags) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = flags;
  return action;
}

/// All signals that end a run.
std::vector<int> stops() {
  std::vector<int> numbers = stops_of_the_supervisor();
  numbers.push_back(SIGXCPU);
  return numbers;
}

}  // namespace

StopSignals::StopSignals(const std::string& kept) {
  holding = false;
  first_signal = 0;
  another_signal = false;
  wake_file = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  stop_waiting_at(wake_file);
  for (const int number : stops()) {
    const auto i = static_cast<std::size_t>(number);
    last_words[i] = printable(fmt::format("sortlab: stopped by {}: {}", signal_name(number), kept)) + "\n";
    const struct sigaction action = handling(on_stop, SA_RESTART);
    sigaction(number, nullptr, &actions_before[i]);
    if (actions_before[i].sa_handler != SIG_IGN) sigaction(number, &action, nullptr);
  }
}

StopSignals::~StopSignals() {
  for (const int number : stops()) sigaction(number, &actions_before[static_cast<std::size_t>(number)], nullptr);
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

std::vector<int> stops_of_the_supervisor() {
  std::vector<int> numbers{kRequests.begin(), kRequests.end()};
  numbers.insert(numbers.end(), kOtherStops.begin(), kOtherStops.end());
  for (int number = SIGRTMIN; number <= SIGRTMAX; ++number) numbers.push_back(number);
  return numbers;
}

void ignore_faults_from_outside() {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  for (const int number : kFaults) {
    struct sigaction before {};
    if (sigaction(number, nullptr, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(number, &action, nullptr);
  }
}

std::string signal_name(int number) {
  if (number >= SIGRTMIN && number <= SIGRTMAX) return fmt::format("SIGRTMIN+{}", number - SIGRTMIN);
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
