// The short way to a plug-in for a library's sort of strings: a class whose call operator sorts a span of Records by
// the bytes that they refer to. The bytes themselves are rearranged afterwards.
//
//   const Register registered{std::make_unique<StringSort<MySort>>(Info{…})};
//
// A class with a constructor from const Parameters& is given the resolved ones.
#pragma once

#include <concepts>

#include "algorithms/common/host/rearrangement.hpp"

namespace sortlab {

/// compare_keys() as a comparison object for a library's sort.
struct KeyBefore {
  const std::uint8_t* bytes;
  bool operator()(const Record& a, const Record& b) const { return compare_keys(a, bytes, b, bytes) < 0; }
};

template <class Sort>
class StringSorter final : public Sorter {
 public:
  StringSorter(const Problem& problem, const Resources& resources, Sort sort)
      : team_(resources.threads, resources.cpus), rearrange_(problem, resources, team_), sort_(std::move(sort)) {}

  std::uint64_t scratch_bytes() const override { return rearrange_.scratch_bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const std::span<Record> records = data.keys.as<Record>();
    {
      const auto phase = phases.phase("sort");
      sort_(records, static_cast<const std::uint8_t*>(data.bytes.data));
    }
    return rearrange_(
        data, [&](std::uint64_t i) -> const Record& { return records[i]; }, phases);
  }

 private:
  ThreadTeam team_;
  Rearrangement rearrange_;
  Sort sort_;
};

template <class Sort>
class StringSort final : public Algorithm {
 public:
  /// `info` without key types, value types and phases.
  explicit StringSort(Info info) : info_(std::move(info)) {
    info_.keys = {KeyType::string};
    info_.values = {ValueType::none};
    info_.phases = {"sort", "rearrange"};
  }
  const Info& info() const override { return info_; }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    if constexpr (std::constructible_from<Sort, const Parameters&>) {
      return std::make_unique<StringSorter<Sort>>(problem, resources, Sort{parameters});
    } else {
      return std::make_unique<StringSorter<Sort>>(problem, resources, Sort{});
    }
  }

 private:
  Info info_;
};

}  // namespace sortlab
