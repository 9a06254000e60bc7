// Sorts that a test plants: each does what the test says.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "algorithms/plugin.hpp"
#include "core/build_digest.hpp"

namespace sortlab {

using FaultKeys = std::span<std::uint32_t>;

/// Sorts u32 keys as `sort` does, which is told how often it was called before.
class FaultySort final : public Algorithm {
 public:
  using Sort = std::function<void(FaultKeys keys, int calls, PhaseTimer& phases)>;
  FaultySort(std::string name, Sort sort, bool parallel) : sort_(std::move(sort)) {
    info_.name = std::move(name);
    info_.title = "planted";
    info_.keys = {KeyType::u32};
    info_.values = {ValueType::none};
    info_.phases = {"sort"};
    info_.parallel = parallel;
  }
  const Info& info() const override { return info_; }
  std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const override {
    return std::make_unique<Ready>(sort_);
  }

 private:
  class Ready final : public Sorter {
   public:
    explicit Ready(const Sort& sort) : sort_(sort) {}
    Buffers sort(Buffers data, PhaseTimer& phases) override {
      sort_(data.keys.as<std::uint32_t>(), calls_++, phases);
      return data;
    }

   private:
    const Sort& sort_;
    int calls_ = 0;
  };
  Info info_;
  Sort sort_;
};

struct PlantedFault {
  PlantedFault(const char* name, FaultySort::Sort sort, bool parallel = false)
      : digest(name, "00000000000000aa"), registered(std::make_unique<FaultySort>(name, std::move(sort), parallel)) {}
  RegisterBuildDigest digest;
  Register registered;
};

inline void sort_honestly(FaultKeys keys) {
  std::sort(keys.begin(), keys.end());
}

/// Waits without sleeping, so that the processor's time is used.
inline void work_for(std::chrono::microseconds time) {
  const auto end = std::chrono::steady_clock::now() + time;
  while (std::chrono::steady_clock::now() < end) {
  }
}

}  // namespace sortlab
