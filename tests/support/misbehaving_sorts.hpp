// Sorts of u32 keys that misbehave on their second call, and what runs them. A program that includes this is its own
// worker (tests/support/main.cpp), so they exist nowhere else.
#pragma once

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "algorithms/plugin.hpp"
#include "core/build_digest.hpp"
#include "harness/plan/sweep.hpp"

namespace sortlab {
namespace {

/// Sorts u32 keys after calling `Misbehave`.
template <class Misbehave>
class Planted final : public Algorithm {
 public:
  explicit Planted(std::string name) {
    info_.name = std::move(name);
    info_.title = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none};
    info_.phases = {"sort"};
    info_.limits = {{.text = "has none"},
                    {.text = "fails on its second call", .name = "second_call"},
                    {.text = "hangs on sorted keys", .slow_on = {"sorted"}}};
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    return std::make_unique<Ready>();
  }

 private:
  class Ready final : public Sorter {
   public:
    Buffers sort(Buffers data, PhaseTimer& phases) override {
      const auto keys = data.keys.as<std::uint32_t>();
      const auto phase = phases.phase("sort");
      std::ranges::sort(keys);
      misbehave_(keys, ++calls_);
      return data;
    }

   private:
    Misbehave misbehave_;
    int calls_ = 0;
  };
  Info info_;
};

/// Takes a while, and reports that it took a second.
class TimesItself final : public Algorithm {
 public:
  TimesItself() {
    info_.name = "planted_times_itself";
    info_.title = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none};
    info_.times_itself = true;
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    return std::make_unique<Ready>();
  }

 private:
  class Ready final : public Sorter {
   public:
    Buffers sort(Buffers data, PhaseTimer&) override {
      std::ranges::sort(data.keys.as<std::uint32_t>());
      return data;
    }
    std::optional<double> own_seconds() const override { return 1.0; }
  };
  Info info_;
};
const RegisterBuildDigest digest_of_times_itself{"planted_times_itself", "00000000000000aa"};
const Register times_itself{std::make_unique<TimesItself>()};

using Keys = std::span<std::uint32_t>;
// The warm-up sort is the first call, so the second call is a worker's first sample.
struct Well {
  void operator()(Keys, int) const {}
};
struct Crash {
  void operator()(Keys, int call) const {
    if (call != 2) return;
    signal(SIGSEGV, SIG_DFL);  // a sanitizer's handler would report and exit
    raise(SIGSEGV);
  }
};
struct Killed {
  void operator()(Keys, int call) const {
    if (call == 2) raise(SIGKILL);
  }
};
struct Exit {
  void operator()(Keys, int call) const {
    if (call == 2) std::_Exit(3);
  }
};
struct Hang {
  void operator()(Keys, int call) const {
    if (call == 2) std::this_thread::sleep_for(std::chrono::hours{24});
  }
};
struct Throw {
  void operator()(Keys, int call) const {
    if (call == 2) throw std::runtime_error("planted");
  }
};
struct ThrowLimit {
  void operator()(Keys, int call) const {
    if (call == 2) throw KnownFailure("second_call", "it was the second call");
  }
};
/// Reports a known failure that its Info does not name.
struct ThrowOtherLimit {
  void operator()(Keys, int call) const {
    if (call == 2) throw KnownFailure("third_call", "it was the third call");
  }
};
struct Terminate {
  void operator()(Keys, int call) const {
    if (call == 2) std::terminate();
  }
};
struct Exhaust {
  std::vector<std::vector<char>> hoard;
  void operator()(Keys, int call) {
    if (call != 2) return;
    while (true) hoard.emplace_back(std::size_t{32} << 20, 'x');
  }
};
struct Wrong {
  void operator()(Keys keys, int call) const {
    if (call == 2) keys[1] = keys[0];
  }
};

template <class Misbehave>
struct Plant {
  explicit Plant(const char* name)
      : digest(name, "00000000000000aa"), algorithm(std::make_unique<Planted<Misbehave>>(name)) {}
  RegisterBuildDigest digest;
  Register algorithm;
};
const Plant<Well> well{"planted_well"};
const Plant<Crash> crash{"planted_crash"};
const Plant<Killed> killed{"planted_killed"};
const Plant<Exit> exits{"planted_exit"};
const Plant<Hang> hang{"planted_hang"};
const Plant<Throw> throws{"planted_throw"};
const Plant<ThrowLimit> throws_limit{"planted_throw_limit"};
const Plant<ThrowOtherLimit> throws_other_limit{"planted_throw_other_limit"};
const Plant<Terminate> terminates{"planted_terminate"};
const Plant<Exhaust> exhaust{"planted_exhaust"};
const Plant<Wrong> plant_wrong{"planted_wrong"};

}  // namespace
}  // namespace sortlab
