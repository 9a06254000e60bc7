#include "algorithms/stehle_hybrid_radix/probe_bench.cuh"

namespace sortlab::calibration {
namespace {

void add_probes(Rounds& rounds, DeviceBench& bench) {
  add_pass_probes(rounds, bench);
  add_list_probes(rounds, bench);
  add_local_probes(rounds, bench);
}

const RegisterProbe registered{DeviceProbe{"stehle_hybrid_radix", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
