#include "algorithms/common/cuda/tile_probe.hpp"
#include "algorithms/msd_radix_gpu/device_shared.cuh"
#include "algorithms/msd_radix_gpu/probes.hpp"
#include "core/key_types.hpp"

namespace sortlab::calibration {
namespace {

void add_probes(Rounds& rounds, DeviceBench& bench) {
  if (msd_gpu::shared_bytes_of_device() < msd_gpu::kSharedBytes) return;
  const std::string keys =
      "; keys 0: random, 1: mostly zero bits, 2: all equal, 3: half in 1/512 of their range, 4: 24 distinct keys, 5: "
      "sorted";
  rounds.declare("msd.few", "s", "MB8: one block of a size class sorts the elements" + keys,
                 {"key_bytes", "value_bytes", "class", "keys", "elements"});
  rounds.declare("msd.one_level", "s", "MB8: one-level sort of the elements with `items` keys per thread" + keys,
                 {"key_bytes", "value_bytes", "items", "keys", "elements"});
  const std::string digits =
      " of the elements; `hottest`: share of the first digit 0, from independent bits; 2: sorted keys, 3: 24 distinct "
      "keys, 4: 12; launches included";
  rounds.declare("msd.count", "s", "MB8: clearing the counters, histogram and division of the top bits" + digits,
                 {"key_bytes", "value_bytes", "hottest", "elements"});
  rounds.declare("msd.first", "s", "MB8: the first partition" + digits,
                 {"key_bytes", "value_bytes", "hottest", "elements"});
  rounds.declare("msd.second", "s", "MB8: the second partition" + digits,
                 {"key_bytes", "value_bytes", "hottest", "elements"});
  rounds.declare(
      "msd.forced", "s",
      "MB8: count (0) and partitions (1, 2) of uniform keys where the regime, wide (2) or partitions (3), is "
      "not the default for n",
      {"key_bytes", "value_bytes", "kernel", "regime", "elements"});
  rounds.declare(
      "msd.level", "s",
      "MB8: one level of the segments, by one kernel per step (1) or by the kernel of all levels (0), divided by "
      "splitters (1) or random digits (0)",
      {"key_bytes", "value_bytes", "by_steps", "split", "segments", "elements"});
  rounds.declare("msd.bucket", "s", "MB8: sorting the buckets of a size class" + keys,
                 {"key_bytes", "value_bytes", "class", "keys", "elements", "buckets"});
  rounds.declare("msd.buckets_idle", "s", "MB8: all bucket kernels on empty lists",
                 {"key_bytes", "value_bytes", "counts"});
  rounds.declare("msd.counted", "s", "MB8: counting sort of buckets with 16 bits left, overflows included" + keys,
                 {"keys", "elements", "buckets"});
  rounds.declare("msd.tables", "s", "MB8: counting sort of tables with 16 bits left; elements: of all tables" + keys,
                 {"keys", "tables", "elements"});
  add_msd_probes<std::uint32_t, NoValue>(rounds, bench);
  add_msd_probes<std::uint64_t, NoValue>(rounds, bench);
  add_msd_probes<std::uint32_t, std::uint32_t>(rounds, bench);
  add_msd_probes<std::uint64_t, std::uint64_t>(rounds, bench);
}

const RegisterProbe registered{DeviceProbe{"msd_radix_gpu", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
