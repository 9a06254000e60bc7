#include "harness/run/worker.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <new>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "core/affinity.hpp"
#include "harness/machine/loaded_libraries.hpp"
#include "harness/machine/memory.hpp"
#include "harness/machine/modules.hpp"
#include "harness/machine/proc_numbers.hpp"
#include "harness/machine/worker_environment.hpp"
#include "harness/measure/suspension.hpp"
#include "harness/run/messages.hpp"
#include "harness/run/signals.hpp"

namespace sortlab {
namespace {

// The two descriptors that a worker gets from its supervisor.
constexpr int kChannel = 3;
constexpr int kNowDoing = 4;
constexpr const char* kMemoryVariable = "SORTLAB_WORKER_MEMORY";

NowDoing* map_now_doing(int file) {
  void* page = mmap(nullptr, sizeof(NowDoing), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap of a worker's page");
  return static_cast<NowDoing*>(page);
}

/// Keeps freed memory mapped and warm, so that a sort that allocates inside pays for its allocator, but not for first
/// touch.
void keep_freed_memory() {
  mallopt(M_MMAP_MAX, 0);
  mallopt(M_TRIM_THRESHOLD, -1);
  mallopt(M_TOP_PAD, 64 << 20);
}

/// All descendants of a process that has the number `process` in /proc, by their numbers there.
std::vector<pid_t> started_by(pid_t process) {
  std::vector<pid_t> all;
  std::error_code gone;  // a process may end meanwhile
  std::filesystem::directory_iterator task{fmt::format("/proc/{}/task", process), gone};
  for (; !gone && task != std::filesystem::directory_iterator{}; task.increment(gone)) {
    std::ifstream children{task->path() / "children"};
    for (pid_t child = 0; children >> child;) {
      all.push_back(child);
      for (const pid_t further : started_by(child)) all.push_back(further);
    }
  }
  return all;
}

/// The likely cause of a SIGKILL.
std::string_view killed_by() {
  struct rlimit processor_time {};
  const bool is_limited = getrlimit(RLIMIT_CPU, &processor_time) == 0 && processor_time.rlim_max != RLIM_INFINITY;
  return is_limited ? ": killed from outside, perhaps since its processor time (ulimit -t) or memory ran out"
                    : ": killed from outside, perhaps because memory ran out";
}

constexpr std::string_view kTimeLimit = ": its processor time is limited (ulimit -t)";

}  // namespace

Death describe_death(int wait_status) {
  if (!WIFSIGNALED(wait_status)) return {fmt::format("the worker exited with status {}", WEXITSTATUS(wait_status)), ""};
  const int number = WTERMSIG(wait_status);
  const std::string name = signal_name(number);
  const std::string what = sigdescr_np(number) == nullptr ? "" : fmt::format(" ({})", sigdescr_np(number));
  return {fmt::format("{}{}{}", name, what,
                      number == SIGKILL   ? killed_by()
                      : number == SIGXCPU ? kTimeLimit
                                          : ""),
          name};
}

int worker_main() {
  keep_freed_memory();
  if (const char* bytes = std::getenv(kMemoryVariable)) limit_memory(std::strtoull(bytes, nullptr, 10));
  prctl(PR_SET_CHILD_SUBREAPER, 1);  // processes that a sort starts stay ours, whoever their parent was
  fcntl(kChannel, F_SETFD, FD_CLOEXEC);
  LineChannel channel(kChannel);
  NowDoing& now = *map_now_doing(kNowDoing);
  note_continuations(now);
  ignore_faults_from_outside();
  WorkerResources resources{.cpus = allowed_cpus(),
                            .memory = {},
                            .counters = choose_counters({perf_event_source()}),
                            .turnstile = Turnstile::from_environment()};
  // Neither of two programs waits for free cores: a neighbour disturbs both.
  if (resources.turnstile) resources.free_cores = FreeCores{std::chrono::seconds{0}};

  // Sends samples at most 50 times a second, since each message wakes the supervisor during the next sort.
  std::string outgoing;
  std::int64_t sent_ns = 0;
  const ReportEvent report = [&](const WorkerEvent& event) {
    // The words of a sort's exception need not be UTF-8.
    outgoing += to_json(event).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
    if (std::holds_alternative<event::SampleTaken>(event) && NowDoing::now_ns() - sent_ns < 20'000'000) return;
    if (!channel.send(outgoing)) std::_Exit(1);  // the supervisor is gone
    outgoing.clear();
    sent_ns = NowDoing::now_ns();
  };
  report(event::Ready{.counters_reason = resources.counters.counters ? "" : resources.counters.reason,
                      .libraries = loaded_libraries()});
  while (true) {
    const auto message = channel.next();
    if (!message) {
      if (!channel.receive()) return 0;
      continue;
    }
    try {
      measure_block(task_from_json(*message), resources, now, report);
    } catch (const std::bad_alloc&) {
      resources.memory = {};
      report(event::NoInput{.reason = "out of memory while making the input" + limits_of_memory()});
    } catch (const TestbedLost&) {
      report(event::Leaving{});
      std::_Exit(0);  // no destructor may touch the device again
    } catch (const std::exception& error) {
      report(event::NoInput{.reason = message_with_limits(error)});
    }
    now.begin(NowDoing::kNoCell, Step::idle);
    report(event::BlockDone{});
  }
}

WorkerProcess::WorkerProcess(std::uint64_t memory_bytes) : page_(sizeof(NowDoing)), now_(new (page_.data()) NowDoing) {
  std::vector<std::string> words = arguments_for_modules();
  words.insert(words.begin(), "/proc/self/exe");
  words.emplace_back(kWorkerCommand);
  auto [ours, theirs] = socket_pair(SOCK_STREAM);
  channel_ = std::make_unique<LineChannel>(ours.release());
  ChildSetup setup{
      .words = std::move(words),
      .name = "sortlab",
      .passes = passes_to_workers,
      .environment = variables_of_workers(),
      // A plug-in's output must not mix with our records.
      .descriptors = {{theirs.get(), kChannel}, {page_.descriptor(), kNowDoing}, {STDERR_FILENO, STDOUT_FILENO}},
      // A terminal or batch system sends these to all of its processes. The supervisor answers them for its worker,
      // and for what a plug-in starts there, which ignores them too; it ends both.
      .ignored_signals = stops_of_the_supervisor(),
      .death_signal = SIGKILL};
  setup.environment.emplace_back(kMemoryVariable, fmt::format("{}", memory_bytes));
  child_ = std::make_unique<ChildProcess>(setup);
}

WorkerProcess::~WorkerProcess() {
  kill();
  wait();
}

void WorkerProcess::kill() {
  if (pid() <= 0) return;
  // Processes that a plug-in started end first: they would find their peer gone, and complain after the run's last
  // message.
  if (const auto worker = number_in_proc(pid())) {
    for (const pid_t process : started_by(*worker)) {
      if (const auto ours = number_from_proc(process)) ::kill(*ours, SIGKILL);
    }
  }
  child_->kill(SIGKILL);
}

bool WorkerProcess::is_stopped() const {
  // "PID (NAME) STATE …": a name may hold spaces and brackets, but no later field does.
  const auto number = number_in_proc(pid());
  if (!number) return false;
  std::ifstream file{fmt::format("/proc/{}/stat", *number)};
  std::string line;
  std::getline(file, line);
  const std::size_t end_of_name = line.rfind(')');
  if (end_of_name == std::string::npos || end_of_name + 2 >= line.size()) return false;
  const char state = line[end_of_name + 2];
  return state == 'T' || state == 't';
}

}  // namespace sortlab
