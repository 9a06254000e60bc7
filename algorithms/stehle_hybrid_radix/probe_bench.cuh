// Bench of the sort's probes: generates keys and runs the sort's own passes up to the kernel that is timed.
#pragma once

#include <array>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"
#include "algorithms/stehle_hybrid_radix/compiled_passes.cuh"

namespace sortlab::calibration {

using hybrid_radix::HybridPasses;
using hybrid_radix::kHasValue;
using hybrid_radix::LocalSort;
using hybrid_radix::Settings;
using hybrid_radix::Shape;
using hybrid_radix::Staging;

/// Keys of buckets of equal size, interleaved: the index of its bucket in a key's highest bits, then random bits, then
/// zeros.
struct MadeKeys {
  std::uint32_t buckets = 1;
  int shift = 0;      ///< bits below the bucket's index
  int random = 0;     ///< number of random bits directly below the index
  double ones = 0.5;  ///< probability of a set bit in each of those, independently
};

template <class Word>
__global__ void make_keys(Word* keys, std::uint64_t n, MadeKeys made, std::uint32_t threshold) {
  for (std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n;
       i += std::uint64_t{gridDim.x} * blockDim.x) {
    const std::uint64_t bucket = i % made.buckets;
    Word key = bucket == 0 ? Word{0} : static_cast<Word>(bucket << made.shift);
    const std::uint32_t seed = hash(static_cast<std::uint32_t>(i));
    for (int bit = 0; bit < made.random; bit += 2) {
      const std::uint32_t random = hash(seed + static_cast<std::uint32_t>(bit) * 0x9e3779b9U);
      if ((random & 0xFFFF) < threshold) key |= Word{1} << (made.shift - 1 - bit);
      if (random >> 16 < threshold && bit + 1 < made.random) key |= Word{1} << (made.shift - 2 - bit);
    }
    keys[i] = key;
  }
}

/// The sort's passes on arrays in the bench's memory, which all probes overwrite: keys are generated again for each
/// sample.
template <class Word, class V>
class PassBench {
 public:
  static constexpr std::uint32_t kKeyBytes = sizeof(Word);
  static constexpr std::uint32_t kValueBytes = kHasValue<V> ? sizeof(V) : 0;

  PassBench(DeviceBench& bench, const Settings& settings, std::uint64_t n)
      : bench_(bench), n_(n), passes_(n, KeyOrder<Word>{}, settings) {
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
      std::byte* const begin = bench.out() + 2 * i * array_bytes(bench);
      arrays_[i].keys = {.data = begin, .count = n};
      if (kHasValue<V>) arrays_[i].values = {.data = begin + array_bytes(bench), .count = n};
    }
  }

  /// Size in bytes of an array of keys, and of one of values.
  static std::size_t array_bytes(const DeviceBench& bench) {
    return std::min<std::size_t>(256 * MiB, bench.bytes() / 4);
  }

  HybridPasses<Word, V, std::uint32_t>& passes() { return passes_; }
  auto pass(int number) const {
    return passes_.pass(number, arrays_[static_cast<std::size_t>(number % 2)],
                        arrays_[static_cast<std::size_t>((number + 1) % 2)]);
  }
  void sort_locally(int number, cudaStream_t stream) const {
    passes_.sort_locally(number, arrays_[static_cast<std::size_t>((number + 1) % 2)], arrays_[0], stream);
  }

  void make(const MadeKeys& made) {
    make_keys<<<16 * bench_.multiprocessors, 256, 0, bench_.stream()>>>(
        static_cast<Word*>(arrays_[0].keys.data), n_, made, static_cast<std::uint32_t>(std::lround(65536 * made.ones)));
    check_launch();
  }

  /// Runs all passes before `number`, without their local sorts.
  void run_to(int number, cudaStream_t stream) {
    passes_.begin(stream);
    for (int before = 0; before < number; ++before) {
      count(before, stream);
      passes_.prefix(pass(before), stream);
      passes_.assign(pass(before), stream);
      passes_.move(pass(before), stream);
    }
  }
  void count(int number, cudaStream_t stream) { passes_.histogram(pass(number), stream); }

  double seconds_after(const DeviceBench::Work& before, const DeviceBench::Work& timed, int times) {
    return bench_.seconds_after(before, timed, times);
  }

  /// Time in seconds of one round of `launches` kernels without work, like those of a pass that no key reaches.
  template <class Launch>
  double idle_seconds(int launches, const Launch& launch) {
    passes_.begin(bench_.stream());
    launch(bench_.stream());  // loads the kernels
    check(cudaStreamSynchronize(bench_.stream()));
    const auto queued = [&](int times) {
      return bench_.time_queued([&](cudaStream_t stream) {
        for (int i = 0; i < times; ++i) launch(stream);
      });
    };
    const int long_run = kMaxQueued / launches;
    const int short_run = long_run / 4;
    return (queued(long_run) - queued(short_run)) / (long_run - short_run);
  }

 private:
  static constexpr int kMaxQueued = 512;  ///< launches queued back to back, half of what a stream holds

  DeviceBench& bench_;
  std::uint64_t n_;
  HybridPasses<Word, V, std::uint32_t> passes_;
  std::array<Buffers, 2> arrays_{};
};

inline constexpr int kIdlePass = 2;     ///< a pass that no bucket reaches unless earlier passes have run
inline constexpr int kShortTimes = 8;   ///< repetitions of a short kernel per sample
inline constexpr int kShortBlocks = 4;  ///< blocks per multiprocessor up to which a grid counts as short

/// Calls `f.template operator()<Word, V>()` for each measured type.
template <class F>
void for_hybrid_types(const F& f) {
  f.template operator()<std::uint32_t, NoValue>();
  f.template operator()<std::uint64_t, NoValue>();
  f.template operator()<std::uint32_t, std::uint32_t>();
  f.template operator()<std::uint64_t, std::uint64_t>();
}

/// Settings with Table 3's blocks, or those of `auto`.
inline Settings hybrid_settings(bool tuned, std::uint32_t key_bytes, std::uint32_t value_bytes) {
  Settings settings = hybrid_radix::table3(key_bytes, value_bytes);
  if (!tuned) return settings;
  const Shape shape = hybrid_radix::tuned_shape(key_bytes, value_bytes);
  settings.threads = shape.threads;
  settings.items = shape.items;
  settings.block_keys = shape.keys();
  settings.staging = Staging::beside;
  settings.local_sort = LocalSort::ranked;
  return settings;
}

/// Probability of a set bit for which an 8-bit digit is 0 with probability `hottest`.
inline double ones_for(double hottest) {
  return 1 - std::pow(hottest, 1.0 / 8);
}

// Each in a file of its own.
void add_pass_probes(Rounds& rounds, DeviceBench& bench);
void add_list_probes(Rounds& rounds, DeviceBench& bench);
void add_local_probes(Rounds& rounds, DeviceBench& bench);

}  // namespace sortlab::calibration
