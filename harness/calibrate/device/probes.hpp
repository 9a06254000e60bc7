// The micro-benchmarks of a device as points of tables, by what they load: papers_and_models section 4.3's MB1 to MB12,
// none of which sorts.
//
// To add some: a file of this folder, named for what it loads, with
//   void add_my_probes(Rounds& rounds, DeviceBench& bench)
// which declares tables (name, unit, what is measured, names of the arguments) and adds their points; its line here;
// its call in calibrate_device(). A probe takes one sample each time it is called, in its table's unit, of about half a
// millisecond; DeviceBench has the memory and what times launches. Kernels that are timed in cycles of a multiprocessor
// mark them: cycle_marks.cuh.
#pragma once

#include "harness/calibrate/device/device_bench.hpp"
#include "harness/calibrate/rounds.hpp"

namespace sortlab::calibration {

void add_clock_probe(Rounds& rounds, DeviceBench& bench);
void add_stream_probes(Rounds& rounds, DeviceBench& bench);         ///< MB1: streams from cache and memory
void add_scatter_probes(Rounds& rounds, DeviceBench& bench);        ///< MB2: runs to many places
void add_latency_probes(Rounds& rounds, DeviceBench& bench);        ///< MB3: latency, loads in flight
void add_shared_atomic_probes(Rounds& rounds, DeviceBench& bench);  ///< MB4: counters in shared memory
void add_shared_memory_probes(Rounds& rounds, DeviceBench& bench);  ///< MB5: bank conflicts; MB6's loads and stores
void add_issue_probes(Rounds& rounds, DeviceBench& bench);          ///< MB6: instructions a cycle
void add_launch_probes(Rounds& rounds, DeviceBench& bench);         ///< MB7: launches, graphs, the host waiting
void add_search_probes(Rounds& rounds, DeviceBench& bench);         ///< MB3: binary searches
void add_lookback_probes(Rounds& rounds, DeviceBench& bench);       ///< MB9: values from block to block
void add_link_probes(Rounds& rounds, DeviceBench& bench);           ///< MB10: copies from and to the host
void add_overlap_probes(Rounds& rounds, DeviceBench& bench);        ///< MB12: the overlap exponents

// MB8: tile primitives of sorts
void add_library_onesweep_probes(Rounds& rounds, DeviceBench& bench);  ///< CUB's OneSweep
void add_library_two_read_probes(Rounds& rounds, DeviceBench& bench);  ///< its upsweep and downsweep
void add_library_merge_probes(Rounds& rounds, DeviceBench& bench);     ///< its merge sort
void add_merge_tile_probes(Rounds& rounds, DeviceBench& bench);        ///< satish_gpu_merge
void add_radix_tile_probes(Rounds& rounds, DeviceBench& bench);        ///< our radix sorts: radix_tiles.hpp

}  // namespace sortlab::calibration
