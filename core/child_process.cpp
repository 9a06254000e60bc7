#include "core/child_process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>
#include <system_error>

#include "core/descriptor.hpp"

namespace sortlab {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPollInterval{20};

[[noreturn]] void fail(int error, const std::string& what) {
  throw std::system_error(error, std::generic_category(), what);
}

/// The arguments or environment of execve.
class Words {
 public:
  explicit Words(std::vector<std::string> words) : words_(std::move(words)) {
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
  }
  char* const* data() const { return pointers_.data(); }

 private:
  std::vector<std::string> words_;
  std::vector<char*> pointers_{};
};

Words make_arguments(const ChildSetup& setup) {
  std::vector<std::string> words = setup.words;
  if (!setup.name.empty()) words.front() = setup.name;
  return Words{std::move(words)};
}

Words make_environment(const ChildSetup& setup) {
  std::vector<std::string> variables;
  for (char** variable = environ; *variable != nullptr; ++variable) {
    const std::string_view text{*variable};
    const std::string_view name = text.substr(0, text.find('='));
    if (setup.passes && !setup.passes(name)) continue;
    if (std::ranges::find(setup.environment, name, &std::pair<std::string, std::string>::first) ==
        setup.environment.end()) {
      variables.emplace_back(text);
    }
  }
  for (const auto& [name, value] : setup.environment) variables.push_back(name + "=" + value);
  return Words{std::move(variables)};
}

/// Moves the descriptors to their numbers, by way of numbers that none of them has. Returns the error, or 0.
int take_descriptors(const std::vector<std::pair<int, int>>& descriptors, int* aside) {
  int beyond = STDERR_FILENO + 1;
  for (const auto& [ours, theirs] : descriptors) beyond = std::max(beyond, theirs + 1);
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    aside[i] = fcntl(descriptors[i].first, F_DUPFD, beyond);
    if (aside[i] < 0) return errno;
  }
  for (std::size_t i = 0; i < descriptors.size(); ++i) {
    if (dup2(aside[i], descriptors[i].second) < 0) return errno;
  }
  for (std::size_t i = 0; i < descriptors.size(); ++i) close(aside[i]);
  return 0;
}

/// Prepares the child. Calls only what is safe after vfork, since the child shares its parent's memory. Returns the
/// error, or 0.
int set_up(const ChildSetup& setup, pid_t parent, int* aside) {
  if (setup.own_group) setpgid(0, 0);
  if (setup.death_signal != 0) {
    prctl(PR_SET_PDEATHSIG, setup.death_signal);
    if (getppid() != parent) _exit(1);  // it died before the line above
  }
  return take_descriptors(setup.descriptors, aside);
}

/// A program about to be started; the child reads it in its parent's memory.
struct Start {
  const ChildSetup& setup;
  Words arguments;
  Words environment;
  std::vector<int> aside;  ///< one a descriptor
  pid_t parent;
  sigset_t mask;
  int error = 0;  ///< why the program cannot be executed
};

[[noreturn]] void become(Start& start) {
  start.error = set_up(start.setup, start.parent, start.aside.data());
  if (start.error != 0) _exit(127);
  // A handler of ours must not run in the parent's memory.
  for (int signal = 1; signal < NSIG; ++signal) {
    struct sigaction action {};
    const bool stays_ignored = signal != SIGPIPE;  // nohup's SIGHUP, say
    if (sigaction(signal, nullptr, &action) != 0 || (action.sa_handler == SIG_IGN && stays_ignored)) continue;
    action.sa_handler = SIG_DFL;
    action.sa_flags = 0;
    sigaction(signal, &action, nullptr);
  }
  for (const int signal : start.setup.ignored_signals) ::signal(signal, SIG_IGN);
  sigprocmask(SIG_SETMASK, &start.mask, nullptr);
  execve(start.setup.words.front().c_str(), start.arguments.data(), start.environment.data());
  start.error = errno;
  _exit(127);
}

/// Not fork, which makes this process's pages copy-on-write: a sort timed next would pay for the faults.
pid_t vfork_and_exec(Start& start) {
  const pid_t child = vfork();  // NOLINT(clang-analyzer-security.insecureAPI.vfork)
  if (child == 0) become(start);
  return child;
}

}  // namespace

ChildProcess::ChildProcess(const ChildSetup& setup) : own_group_(setup.own_group) {
  if (access(setup.words.at(0).c_str(), X_OK) != 0) fail(errno, setup.words.front());
  Start start{.setup = setup,
              .arguments = make_arguments(setup),
              .environment = make_environment(setup),
              .aside = std::vector<int>(setup.descriptors.size()),
              .parent = getpid(),
              .mask = {}};
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &start.mask);
  pid_ = vfork_and_exec(start);
  const int error = pid_ < 0 ? errno : start.error;
  pthread_sigmask(SIG_SETMASK, &start.mask, nullptr);
  if (error == 0) return;
  wait();
  fail(error, setup.words.front());
}

ChildProcess::ChildProcess(const ChildSetup& setup, const std::function<void()>& body) : own_group_(setup.own_group) {
  std::vector<int> aside(setup.descriptors.size());
  const pid_t parent = getpid();
  pid_ = fork();
  if (pid_ < 0) fail(errno, "fork");
  if (pid_ > 0) return;
  if (set_up(setup, parent, aside.data()) == 0) body();
  _exit(1);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)), own_group_(other.own_group_) {}

ChildProcess::~ChildProcess() {
  end();
}

void ChildProcess::kill(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

int ChildProcess::reaped(int status) {
  if (own_group_) ::kill(-pid_, SIGKILL);  // processes that it left behind
  pid_ = -1;
  return status;
}

int ChildProcess::end() {
  if (pid_ <= 0) return 0;
  kill(SIGKILL);
  return wait();
}

int ChildProcess::wait() {
  int status = 0;
  if (pid_ <= 0) return status;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  return reaped(status);
}

std::optional<int> ChildProcess::wait_for(milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (waitpid(pid_, &status, WNOHANG) != pid_) {
    if (std::chrono::steady_clock::now() >= until) return std::nullopt;
    usleep(kPollInterval.count() * 1000);
  }
  return reaped(status);
}

ChildOutput run_child(ChildSetup setup, const std::function<bool()>& too_long, milliseconds grace) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail(errno, "pipe");
  const Descriptor reader{ends[0], "pipe"};
  Descriptor writer{ends[1], "pipe"};
  fcntl(reader.get(), F_SETFL, O_NONBLOCK);
  setup.descriptors.insert(setup.descriptors.end(), {{writer.get(), STDOUT_FILENO}, {writer.get(), STDERR_FILENO}});
  setup.own_group = true;
  setup.death_signal = SIGKILL;  // should this process be killed meanwhile
  ChildProcess child{setup};
  writer.close();

  ChildOutput output;
  std::array<char, 65536> piece{};
  const auto read_some = [&] {
    for (int pieces = 0; pieces < 64; ++pieces) {  // and not all: a program may write without end
      const ssize_t size = read(reader.get(), piece.data(), piece.size());
      if (size <= 0) return;
      const std::size_t room = kMaxOutputBytes - output.text.size();
      output.text.append(piece.data(), std::min(room, static_cast<std::size_t>(size)));
    }
  };
  std::optional<int> status;
  std::chrono::steady_clock::time_point killed_at{};
  while (!(status = child.wait_for(milliseconds{0}))) {
    pollfd waiting{.fd = reader.get(), .events = POLLIN, .revents = 0};
    poll(&waiting, 1, static_cast<int>(kPollInterval.count()));
    if ((waiting.revents & POLLIN) == 0) usleep(kPollInterval.count() * 1000);  // it may run on with its output closed
    read_some();
    if (!output.too_long && too_long()) {
      output.too_long = true;
      killed_at = std::chrono::steady_clock::now() + grace;
      child.kill(SIGTERM);
    }
    if (output.too_long && std::chrono::steady_clock::now() >= killed_at) {
      status = child.end();
      break;
    }
  }
  read_some();
  output.status = *status;
  return output;
}

std::optional<std::string> capture_output(ChildSetup setup) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds{20};
  try {
    ChildOutput output = run_child(
        std::move(setup), [&] { return std::chrono::steady_clock::now() >= until; }, milliseconds{0});
    if (output.too_long) return std::nullopt;
    return std::move(output.text);
  } catch (const std::system_error&) {
    return std::string{};
  }
}

void replace_process(const ChildSetup& setup) {
  const Words arguments = make_arguments(setup);
  const Words environment = make_environment(setup);
  execvpe(setup.words.front().c_str(), arguments.data(), environment.data());
}

}  // namespace sortlab
