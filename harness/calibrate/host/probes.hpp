// The micro-benchmarks as points of tables, by what they load.
#pragma once

#include <memory>
#include <vector>

#include "harness/calibrate/host/arena.hpp"
#include "harness/calibrate/rounds.hpp"

namespace sortlab::calibration {

/// What all probes share. Lives as long as the rounds run.
struct Bench {
  std::vector<std::unique_ptr<Arena>> arenas;  ///< one a thread
  std::vector<int> threads;                    ///< the numbers of threads to measure with: 1 … all
  std::vector<int> lines;                      ///< lines of a buffer
  bool quick = false;
};

void add_stream_probes(Rounds& rounds, Bench& bench);   ///< MB1, MB2, MB3: streams, runs, latency
void add_digit_probes(Rounds& rounds, Bench& bench);    ///< MB11: counters, buffers
void add_overlap_probes(Rounds& rounds, Bench& bench);  ///< MB12: the overlap exponent
void add_thread_probes(Rounds& rounds, Bench& bench);   ///< barriers, waking

// MB11 too: pieces of our sorts, by their own code
void add_split_probes(Rounds& rounds, Bench& bench);        ///< of knf_split_radix
void add_merge_probes(Rounds& rounds, Bench& bench);        ///< of satish_cpu_merge
void add_permutation_probes(Rounds& rounds, Bench& bench);  ///< of paradis
void add_comb_probes(Rounds& rounds, Bench& bench);         ///< of aa_sort
void add_bucket_probes(Rounds& rounds, Bench& bench);       ///< of msd_radix_cpu
void add_block_probes(Rounds& rounds, Bench& bench);        ///< of msd_radix_cpu, too

}  // namespace sortlab::calibration
