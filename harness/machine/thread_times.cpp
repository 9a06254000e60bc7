#include "harness/machine/thread_times.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <numeric>
#include <sstream>
#include <string>
#include <thread>

#include "harness/machine/proc_numbers.hpp"

namespace sortlab {
namespace {

/// Calls `use(thread, text)` with a short file of each thread in a process's folder of /proc, but for the thread
/// `left_out`; `use` returns false to end. Plain system calls: this runs around every sample.
template <class Use>
void for_each_thread_in(const char* folder, const char* file, long left_out, const Use& use) {
  DIR* const tasks = opendir(folder);
  if (tasks == nullptr) return;
  while (const dirent* const entry = readdir(tasks)) {
    const long thread = std::atol(entry->d_name);
    if (entry->d_name[0] == '.' || thread == left_out) continue;
    std::array<char, 300> name{};
    std::snprintf(name.data(), name.size(), "%s/%s", entry->d_name, file);
    const int descriptor = openat(dirfd(tasks), name.data(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) continue;  // it has just ended
    std::array<char, 256> text{};
    const ssize_t length = read(descriptor, text.data(), text.size() - 1);
    close(descriptor);
    if (length > 0 && !use(thread, text.data())) break;
  }
  closedir(tasks);
}

/// The same for this process, without the caller if not `with_caller`.
template <class Use>
void for_each_thread(const char* file, bool with_caller, const Use& use) {
  for_each_thread_in("/proc/self/task", file, with_caller ? -1 : caller_in_proc(), use);
}

struct Schedstat {
  double worked_s = 0;
  double waited_s = 0;
};

/// The first two of the three numbers of a schedstat file: nanoseconds run, nanoseconds waited, slices.
Schedstat parse_schedstat(const char* text) {
  char* rest = nullptr;
  const double worked_ns = static_cast<double>(std::strtoull(text, &rest, 10));
  return {1e-9 * worked_ns, 1e-9 * static_cast<double>(std::strtoull(rest, nullptr, 10))};
}

double read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

bool others_run() {
  bool running = false;
  for_each_thread("stat", false, [&](long /*thread*/, const char* text) {
    const char* const end_of_name = std::strrchr(text, ')');  // a name may hold spaces and brackets
    running = end_of_name != nullptr && end_of_name[1] == ' ' && end_of_name[2] == 'R';
    return !running;
  });
  return running;
}

}  // namespace

double caller_processor_s() {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double others_processor_s() {
  rusage children{};
  getrusage(RUSAGE_CHILDREN, &children);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  // The caller's own time between two readings, as in an interrupt or while a virtual machine's host does something
  // else, would be taken for that of others.
  constexpr double together_s = 5e-6;
  constexpr int most_tries = 20;
  double process_s = 0;
  double caller_s = read_clock(CLOCK_THREAD_CPUTIME_ID);
  for (int tries = 0; tries < most_tries; ++tries) {
    const double before_s = caller_s;
    process_s = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    caller_s = read_clock(CLOCK_THREAD_CPUTIME_ID);
    if (caller_s - before_s < together_s) break;
  }
  return process_s - caller_s + seconds(children.ru_utime) + seconds(children.ru_stime);
}

int child_processes() {
  int count = 0;
  for_each_thread("children", true, [&](long /*thread*/, const char* text) {
    count += static_cast<int>(std::count(text, text + std::strlen(text), ' '));  // a space follows each number
    return true;
  });
  return count;
}

namespace {

/// Adds the times of the processes that the threads in `folder` have started, and of theirs.
void add_children(const char* folder, ChildrenTimes& times) {
  for_each_thread_in(folder, "children", -1, [&](long /*thread*/, const char* text) {
    char* rest = nullptr;
    for (long child = std::strtol(text, &rest, 10); child > 0; child = std::strtol(rest, &rest, 10)) {
      std::array<char, 64> tasks{};
      std::snprintf(tasks.data(), tasks.size(), "/proc/%ld/task", child);
      for_each_thread_in(tasks.data(), "schedstat", -1, [&](long /*thread*/, const char* schedstat) {
        const Schedstat read = parse_schedstat(schedstat);
        times.worked_s += read.worked_s;
        times.waited_s += read.waited_s;
        return true;
      });
      add_children(tasks.data(), times);
    }
    return true;
  });
}

}  // namespace

ChildrenTimes children_times() {
  ChildrenTimes times;
  add_children("/proc/self/task", times);
  return times;
}

namespace {

constexpr const char* kOwnSchedstat = "/proc/thread-self/schedstat";

/// 0 where the file cannot be read.
double read_waited_s(int file) {
  std::array<char, 128> text{};
  if (file < 0 || pread(file, text.data(), text.size() - 1, 0) <= 0) return 0;
  return parse_schedstat(text.data()).waited_s;
}

}  // namespace

double caller_waited_s() {
  thread_local const int file = open(kOwnSchedstat, O_RDONLY | O_CLOEXEC);  // open for the thread's life
  return read_waited_s(file);
}

double caller_waited_once_s() {
  const int file = open(kOwnSchedstat, O_RDONLY | O_CLOEXEC);
  const double waited_s = read_waited_s(file);
  if (file >= 0) close(file);
  return waited_s;
}

std::int64_t page_faults() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

std::int64_t pages_read() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_majflt;
}

ThreadTimes ThreadTimes::now() {
  ThreadTimes times;
  const long self = caller_in_proc();
  for_each_thread("schedstat", true, [&](long thread, const char* text) {
    const Schedstat read = parse_schedstat(text);
    // The file of a running thread tells what it had worked at the scheduler's last tick.
    const double worked_s = thread == self ? caller_processor_s() : read.worked_s;
    times.threads_.push_back({.number = thread, .worked_s = worked_s, .waited_s = read.waited_s});
    return true;
  });
  return times;
}

double ThreadTimes::waited_s() const {
  return std::accumulate(threads_.begin(), threads_.end(), 0.0,
                         [](double sum, const OneThread& thread) { return sum + thread.waited_s; });
}

double ThreadTimes::busiest_s(const ThreadTimes& before) const {
  double most_s = 0;
  for (const OneThread& after : threads_) {
    const auto known = std::ranges::find(before.threads_, after.number, &OneThread::number);
    const double began_s = known == before.threads_.end() ? 0 : known->worked_s + known->waited_s;
    most_s = std::max(most_s, after.worked_s + after.waited_s - began_s);
  }
  return most_s;
}

double taken_s(const std::vector<int>& cpus) {
  constexpr int kFirstColumn = 6, kLastColumn = 8;  // irq, softirq, steal
  std::ifstream file("/proc/stat");
  std::int64_t steps = 0;
  for (std::string line; std::getline(file, line) && line.starts_with("cpu");) {
    std::istringstream columns(line.substr(3));
    int cpu = 0;
    if (line[3] == ' ' || !(columns >> cpu) || std::ranges::find(cpus, cpu) == cpus.end()) continue;
    std::int64_t value = 0;
    for (int column = 1; column <= kLastColumn && columns >> value; ++column) {
      if (column >= kFirstColumn) steps += value;
    }
  }
  return kTakenStep_s * static_cast<double>(steps);
}

bool wait_until_alone(std::chrono::duration<double> patience) {
  const auto end = std::chrono::steady_clock::now() + patience;
  while (others_run()) {
    if (std::chrono::steady_clock::now() >= end) return false;
    std::this_thread::yield();
  }
  return true;
}

}  // namespace sortlab
