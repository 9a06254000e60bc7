#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/msd_radix_gpu/device_shared.cuh"
#include "algorithms/msd_radix_gpu/probes.hpp"
#include "core/key_types.hpp"

namespace sortlab::calibration {
namespace {

void add_probes(Rounds& rounds, DeviceBench& bench) {
  if (msd_gpu::shared_bytes_of_device() < msd_gpu::kSharedBytes) return;
  const std::string keys =
      "; keys 0: random, 1: of bits that are mostly 0, 2: all equal, 3: half in 1 / 512 of their range, 4: 24 keys, 5: "
      "in order";
  rounds.declare("msd.few", "s", "MB8: so many elements by a block of a size class" + keys,
                 {"key_bytes", "value_bytes", "class", "keys", "elements"});
  rounds.declare("msd.one_level", "s", "MB8: so many elements by one level in a kernel of `items` keys a thread" + keys,
                 {"key_bytes", "value_bytes", "items", "keys", "elements"});
  const std::string digits =
      " of so many elements; first digits of independent bits, `hottest` of them 0; 2: keys in order, 3: 24 keys, 4: "
      "12 keys; with "
      "launches";
  rounds.declare("msd.count", "s", "MB8: counters cleared, the top bits counted and divided," + digits,
                 {"key_bytes", "value_bytes", "hottest", "elements"});
  rounds.declare("msd.first", "s", "MB8: the first partition" + digits,
                 {"key_bytes", "value_bytes", "hottest", "elements"});
  rounds.declare("msd.second", "s", "MB8: the second partition" + digits,
                 {"key_bytes", "value_bytes", "hottest", "elements"});
  rounds.declare("msd.forced", "s",
                 "MB8: the same of uniform keys, count (0) and partitions (1, 2), where the regime, wide (2) or "
                 "partitions (3), is not the usual one of so many",
                 {"key_bytes", "value_bytes", "kernel", "regime", "elements"});
  rounds.declare("msd.level", "s",
                 "MB8: a level of so many segments, by kernels (1) or at once with the end of all levels (0), by "
                 "splitters (1) or random digits (0)",
                 {"key_bytes", "value_bytes", "by_steps", "split", "segments", "elements"});
  rounds.declare("msd.bucket", "s", "MB8: so many buckets of a size class" + keys,
                 {"key_bytes", "value_bytes", "class", "keys", "elements", "buckets"});
  rounds.declare("msd.buckets_idle", "s", "MB8: all kernels that sort buckets, of which there are none",
                 {"key_bytes", "value_bytes", "counts"});
  rounds.declare("msd.counted", "s",
                 "MB8: so many buckets of 16 bits that are counted, with those that are left" + keys,
                 {"keys", "elements", "buckets"});
  rounds.declare("msd.tables", "s", "MB8: so many tables of 16 bits, with so many elements in all" + keys,
                 {"keys", "tables", "elements"});
  add_msd_probes<std::uint32_t, NoValue>(rounds, bench);
  add_msd_probes<std::uint64_t, NoValue>(rounds, bench);
  add_msd_probes<std::uint32_t, std::uint32_t>(rounds, bench);
  add_msd_probes<std::uint64_t, std::uint64_t>(rounds, bench);
}

const RegisterProbe registered{DeviceProbe{"msd_radix_gpu", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
