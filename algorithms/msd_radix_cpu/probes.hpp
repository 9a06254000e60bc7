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
struct MsdPieces : HostPieces<K, V> {
  using Word = msd::WordOf<K, V>;
  static constexpr bool values = msd::kValuesBeside<K, V>;
  static constexpr std::size_t element = sizeof(Word) * (values ? 2 : 1);  ///< bytes in scratch memory

  MsdPieces(HostBench& all, int count, const std::string& target)
      : HostPieces<K, V>{all, count},
        table("msd." + target + "."),
        kernels(msd::kernels_for<Word>(msd::targets().target_bit(target), values)),
        keys(msd::key_kernels(msd::targets().target_bit(target))) {}

  std::string table;  ///< "msd.avx2."
  const msd::Kernels<Word>& kernels;
  const msd::AllKeyKernels& keys;
};

}  // namespace sortlab::calibration
