#include <dlfcn.h>
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "harness/machine/bounded_child.hpp"
#include "harness/machine/counters.hpp"

namespace sortlab {
namespace {

// First characters of the child's answers: success, or the reason for a failure.
constexpr char kDone = '+';
constexpr char kRefused = '-';

/// likwid's C interface of version 5.2 (likwid.h), bound at run time. Used in the child.
class Likwid {
 public:
  Likwid(std::string library, std::vector<int> cpus, std::string group)
      : library_(std::move(library)), cpus_(std::move(cpus)), name_(std::move(group)) {}

  std::string answer(std::string_view question) {
    if (question == "open") return open();
    if (question == "start")
      return call<int()>("perfmon_startCounters")() == 0 ? done() : refused("cannot start counting");
    return stop();
  }

 private:
  static std::string done(std::string_view text = "") { return kDone + std::string{text}; }
  static std::string refused(std::string_view why) { return kRefused + std::string{why}; }

  template <class Function>
  std::function<Function> call(const char* name) const {
    if (void* address = dlsym(handle_, name)) return reinterpret_cast<Function*>(address);
    _exit(3);  // an unknown interface
  }

  std::string open() {
    handle_ = dlopen(library_.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle_ == nullptr) return refused(fmt::format("not installed ({})", dlerror()));
    call<void(int)>("HPMmode")(geteuid() == 0 ? 0 : 1);  // direct access to the registers, or the access daemon
    if (call<int()>("topology_init")() != 0) return refused("does not know this processor");
    call<int()>("numa_init")();
    call<void()>("affinity_init")();
    if (call<int(int, const int*)>("perfmon_init")(static_cast<int>(cpus_.size()), cpus_.data()) != 0) {
      return refused("cannot read the counters (is the msr module loaded, and are we allowed?)");
    }
    group_ = call<int(const char*)>("perfmon_addEventSet")(name_.c_str());
    if (group_ < 0 || call<int(int)>("perfmon_setupCounters")(group_) != 0) {
      return refused(fmt::format("has no group {} here", name_));
    }
    return done();
  }

  std::string stop() const {
    if (call<int()>("perfmon_stopCounters")() != 0) return refused("cannot stop counting");
    const auto name = call<char*(int, int)>("perfmon_getEventName");
    const auto result = call<double(int, int, int)>("perfmon_getLastResult");
    std::string text;
    for (int event = 0; event < call<int(int)>("perfmon_getNumberOfEvents")(group_); ++event) {
      double sum = 0;
      for (int thread = 0; std::cmp_less(thread, cpus_.size()); ++thread) sum += result(group_, event, thread);
      text += fmt::format("{}={}\n", name(group_, event), sum);
    }
    const auto metric_name = call<char*(int, int)>("perfmon_getMetricName");
    const auto metric_value = call<double(int, int, int)>("perfmon_getLastMetric");
    for (int metric = 0; metric < call<int(int)>("perfmon_getNumberOfMetrics")(group_); ++metric) {
      const std::string_view what = metric_name(group_, metric);
      if (what.find("data volume") == std::string_view::npos) continue;  // rates and ratios cannot be summed
      double sum = 0;
      for (int thread = 0; std::cmp_less(thread, cpus_.size()); ++thread) sum += metric_value(group_, metric, thread);
      text += fmt::format("{}={}\n", what, sum);
    }
    return done(text);
  }

  std::string library_;
  std::vector<int> cpus_;
  std::string name_;  ///< name of the group
  void* handle_ = nullptr;
  int group_ = -1;
};

CounterValues parse(std::string_view text) {
  CounterValues values;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t equals = line.find('=');
    double value = 0;
    if (equals != std::string_view::npos &&
        std::from_chars(line.data() + equals + 1, line.data() + line.size(), value).ec == std::errc{}) {
      values[std::string{line.substr(0, equals)}] = value;
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

class LikwidCounters final : public Counters {
 public:
  LikwidCounters(std::vector<int> cpus, std::chrono::milliseconds limit, std::string library, std::string group)
      : limit_(limit),
        child_([likwid = std::make_shared<Likwid>(std::move(library), std::move(cpus), std::move(group))](
                   std::string_view question) { return likwid->answer(question); }) {
    ask("open");
  }
  void start() override { ask("start"); }
  CounterValues stop() override { return parse(ask("stop")); }

 private:
  std::string ask(std::string_view question) {
    try {
      const std::string reply = child_.ask(question, limit_);
      if (reply.starts_with(kDone)) return reply.substr(1);
      throw CountersUnavailable(reply.substr(1));
    } catch (const ChildFailed& why) {
      throw CountersUnavailable(why.what());
    }
  }

  std::chrono::milliseconds limit_;
  BoundedChild child_;
};

}  // namespace

std::string likwid_library() {
  const char* const set = std::getenv("SORTLAB_LIKWID");
  return set != nullptr && *set != '\0' ? set : "liblikwid.so.5";
}

CounterSource likwid_source(std::vector<int> cpus, std::chrono::milliseconds limit, std::string library,
                            std::string group) {
  return {.name = "likwid", .open = [=] { return std::make_unique<LikwidCounters>(cpus, limit, library, group); }};
}

}  // namespace sortlab
