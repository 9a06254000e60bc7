// The test bench of all host probes: memory, thread counts, and the timing of work on threads.
#pragma once

#include <functional>
#include <memory>
#include <type_traits>
#include <vector>

#include "algorithms/common/host/arena.hpp"
#include "algorithms/common/host/lines.hpp"
#include "algorithms/common/host/made_words.hpp"
#include "algorithms/probe.hpp"
#include "core/key_types.hpp"

namespace sortlab::calibration {

struct HostBench {
  std::vector<std::unique_ptr<Arena>> arenas;  ///< one for each thread
  std::vector<int> threads;                    ///< thread counts to measure: 1 … all
  std::vector<int> lines;                      ///< sizes of a digit's buffer to measure, in cache lines
  bool quick = false;                          ///< measure fewer points

  Arena& arena(int thread) const { return *arenas[static_cast<std::size_t>(thread)]; }
  Axis<int> all_threads() const { return {"threads", threads}; }
};

/// The pieces of a host sort for one type of element and one number of threads.
template <class K, class V>
struct HostPieces {
  static constexpr std::size_t value_bytes = std::is_same_v<V, NoValue> ? 0 : sizeof(V);

  HostBench& bench;
  int threads;

  Arena& arena(int thread) const { return bench.arena(thread); }
  /// A point whose first arguments are threads, and bytes of key and value.
  std::vector<double> at(auto... more) const { return point(threads, sizeof(K), value_bytes, more...); }
};

/// Calls `add.operator()<K, V>(threads)` for words of 4 and 8 bytes, alone and with values of their width.
template <class Add>
void for_words_and_threads(const std::vector<int>& threads, const Add& add) {
  for (const int count : threads) {
    add.template operator()<std::uint32_t, NoValue>(count);
    add.template operator()<std::uint64_t, NoValue>(count);
    add.template operator()<std::uint32_t, std::uint32_t>(count);
    add.template operator()<std::uint64_t, std::uint64_t>(count);
  }
}

/// Runs body(thread) on `threads` new threads, pinned to the processors that this process may use. They start together
/// once each has done before(thread), if given. Returns the seconds from the first begin to the last end.
double timed(int threads, const std::function<void(int thread)>& body,
             const std::function<void(int thread)>& before = {});

/// Like timed(), for work that threads take piece by piece: the harmonic mean of the threads' times, which is the time
/// with perfect load balance. Processors that share their core with other work take up to twice as long as the others.
double timed_by_pieces(int threads, const std::function<void(int thread)>& body,
                       const std::function<void(int thread)>& before = {});

/// The numbers of the processors that this process may use.
const std::vector<int>& processors();

}  // namespace sortlab::calibration
