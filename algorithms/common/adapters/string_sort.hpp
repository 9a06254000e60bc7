// The short way to a plug-in for a library's sort of strings: a class whose call operator sorts a span of Records by
// the bytes that they refer to. The bytes themselves are rearranged afterwards.
#pragma once

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

}  // namespace sortlab
