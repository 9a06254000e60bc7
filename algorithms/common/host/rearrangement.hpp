// The last phase of a sort of records, which moves the records into sorted order (Satish et al. 2010, section 4: "an
// epilogue to rearrange entire records once sorting is done").
#pragma once

#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>

#include "algorithms/plugin.hpp"
#include "core/pages.hpp"
#include "core/thread_team.hpp"

namespace sortlab {

class Rearrangement {
 public:
  Rearrangement(const Problem& problem, const Resources& resources, ThreadTeam& team)
      : team_(team),
        records_(problem.n * sizeof(Record), resources.pages),
        bytes_(problem.bytes, resources.pages),
        sources_(problem.n * sizeof(std::uint64_t), resources.pages),
        sums_(static_cast<std::size_t>(team.size())) {}

  std::uint64_t scratch_bytes() const { return records_.size() + bytes_.size() + sources_.size(); }

  /// Rearranges the records. `source(i)` is the Record of `data` that comes i-th in the output. Threads divide the
  /// output by bytes, so that a long record counts as much as many short ones of the same total size.
  template <class Source>
  Buffers operator()(const Buffers& data, const Source& source, PhaseTimer& phases) {
    const std::uint64_t n = data.keys.count;
    const auto* const from = static_cast<const std::uint8_t*>(data.bytes.data);
    team_.run([&](int thread) {
      const auto phase = phases.phase("rearrange", 0, thread);
      place(thread, n, source);
      team_.wait();
      move(thread, n, data.bytes.count, from);
    });
    return {.keys = {.data = records_.data(), .count = n},
            .values = {},
            .bytes = {.data = bytes_.data(), .count = data.bytes.count}};
  }

 private:
  /// Prefetch distance of the random reads: enough to hide the memory latency behind the copying of short records.
  static constexpr std::uint64_t kAhead = 16;

  std::uint64_t share(std::uint64_t count, int thread) const {
    return count * static_cast<std::uint64_t>(thread) / static_cast<std::uint64_t>(team_.size());
  }

  /// Computes destinations and sources of this thread's share of the records. The sources are read once, in random
  /// order.
  template <class Source>
  void place(int thread, std::uint64_t n, const Source& source) {
    Record* const out = records_.data<Record>();
    auto* const from = sources_.data<std::uint64_t>();
    const std::uint64_t begin = share(n, thread);
    const std::uint64_t end = share(n, thread + 1);
    std::uint64_t offset = 0;
    for (std::uint64_t i = begin; i < end; ++i) {
      if (i + kAhead < end) __builtin_prefetch(&source(i + kAhead));
      out[i] = source(i);
      from[i] = out[i].offset;
      out[i].offset = offset;
      offset += out[i].bytes();
    }
    sums_[static_cast<std::size_t>(thread)] = offset;
    team_.wait();
    const std::uint64_t before = std::accumulate(sums_.begin(), sums_.begin() + thread, std::uint64_t{0});
    for (std::uint64_t i = begin; i < end; ++i) out[i].offset += before;
  }

  /// Writes this thread's share of the bytes. A record may be divided between threads.
  void move(int thread, std::uint64_t n, std::uint64_t bytes, const std::uint8_t* from) {
    const Record* const out = records_.data<Record>();
    const auto* const sources = sources_.data<std::uint64_t>();
    auto* const to = bytes_.data<std::uint8_t>();
    std::uint64_t at = share(bytes, thread);
    const std::uint64_t end = share(bytes, thread + 1);
    const auto first = std::partition_point(out, out + n, [&](const Record& r) { return r.offset + r.bytes() <= at; });
    for (auto i = static_cast<std::uint64_t>(first - out); at < end; ++i) {
      if (i + kAhead < n) __builtin_prefetch(from + sources[i + kAhead]);
      const std::uint64_t skip = at - out[i].offset;
      const std::uint64_t count = std::min(out[i].bytes() - skip, end - at);
      if (count != 0) std::memcpy(to + at, from + sources[i] + skip, count);
      at += count;
    }
  }

  ThreadTeam& team_;
  Pages records_;
  Pages bytes_;
  Pages sources_;                    ///< input offset of each output record
  std::vector<std::uint64_t> sums_;  ///< bytes of the records of each thread
};

}  // namespace sortlab
