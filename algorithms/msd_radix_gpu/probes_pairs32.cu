#include "algorithms/msd_radix_gpu/probe_points.cuh"

namespace sortlab::calibration {

template void add_msd_probes<std::uint32_t, std::uint32_t>(Rounds&, DeviceBench&);

}  // namespace sortlab::calibration
