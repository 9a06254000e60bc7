// The common part of msd_radix_cpu's probes.
#pragma once

#include <string>
#include <vector>

#include "algorithms/host_probe.hpp"
#include "algorithms/msd_radix_cpu/form.hpp"
#include "algorithms/msd_radix_cpu/kernels.hpp"

namespace sortlab::calibration {

/// The instruction sets to measure: all that run here, or if `quick` only the widest, which auto chooses.
std::vector<std::string> msd_targets(bool quick);

/// The team sizes to measure: one thread, all threads, and one size between.
std::vector<int> msd_teams(const HostBench& bench);

/// Average size of a bucket in bytes that the sort chooses on this machine.
std::size_t msd_bucket_bytes();

/// Probes for one element type, number of threads and instruction set.
template <class K, class V>
struct MsdPieces {
  using Word = msd::WordOf<K, V>;
  static constexpr bool values = msd::kValuesBeside<K, V>;
  static constexpr std::size_t value_bytes = msd::kAlone<K, V> ? 0 : sizeof(V);
  static constexpr std::size_t element = sizeof(Word) * (values ? 2 : 1);  ///< bytes in scratch memory

  MsdPieces(HostBench& all, int count, const std::string& target)
      : bench(all),
        threads(count),
        table("msd." + target + "."),
        kernels(msd::kernels_for<Word>(msd::targets().target_bit(target), values)) {}

  Arena& arena(int thread) const { return *bench.arenas[static_cast<std::size_t>(thread)]; }
  std::vector<double> at(std::initializer_list<double> more) const {
    std::vector<double> all{static_cast<double>(threads), sizeof(K), static_cast<double>(value_bytes)};
    all.insert(all.end(), more);
    return all;
  }

  HostBench& bench;
  int threads;
  std::string table;  ///< "msd.avx2."
  const msd::Kernels<Word>& kernels;
};

}  // namespace sortlab::calibration
