// Runs the passes, least significant digit first, in the two divisions of a pass into kernels.
#pragma once

#include "algorithms/common/cuda/counting_pass/pass_launcher.cuh"

namespace sortlab::ha {

template <class P>
class LsdSorter final : public Sorter {
 public:
  LsdSorter(const Problem& problem, const Settings& settings, KeyOrder<typename P::Word> order,
            const Resources& resources)
      : passes_(problem, settings, order, resources) {}

  std::uint64_t scratch_bytes() const override { return passes_.scratch_bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count == 0) return data;
    const Buffers scratch = passes_.scratch_as_arrays(data);

    if (passes_.finds_range()) {
      const auto phase = phases.phase("range");
      passes_.find_range(data);
    }
    if (passes_.settings().presort == Presort::stored) {
      for (int pass = 0; pass < passes_.launched(); ++pass) stored_pass(pass, data, scratch, phases);
      return scratch;
    }
    for (int pass = 0; pass < passes_.launched(); ++pass) {
      const bool forth = pass % 2 == 0;
      recomputed_pass(pass, forth ? data : scratch, forth ? scratch : data, phases);
    }
    return passes_.launched() % 2 == 0 ? data : scratch;
  }

 private:
  /// Pre-sorts tiles of the input or scratch into the input's arrays, and shuffles them into the scratch.
  void stored_pass(int pass, const Buffers& input, const Buffers& scratch, PhaseTimer& phases) {
    const std::uint64_t n = input.keys.count;
    const auto in = passes_.elements(input);
    const auto middle = passes_.middle(scratch);
    {
      const auto phase = phases.phase("presort", pass);
      passes_.launch_presort(pass, n, pass == 0 ? in : middle, in);
    }
    rank(pass, n, phases);
    const auto phase = phases.phase("shuffle", pass);
    passes_.launch_shuffle(pass, n, in, middle, passes_.elements(scratch));
  }

  void recomputed_pass(int pass, const Buffers& from, const Buffers& to, PhaseTimer& phases) {
    const std::uint64_t n = from.keys.count;
    {
      const auto phase = phases.phase("count", pass);
      passes_.launch_count(pass, n, passes_.elements(from));
    }
    rank(pass, n, phases);
    const auto phase = phases.phase("shuffle", pass);
    passes_.launch_sort_and_shuffle(pass, n, passes_.elements(from), passes_.elements(to));
  }

  void rank(int pass, std::uint64_t n, PhaseTimer& phases) {
    const auto phase = phases.phase("rank", pass);
    passes_.launch_rank(n);
  }

  PassLauncher<P> passes_;
};

}  // namespace sortlab::ha
