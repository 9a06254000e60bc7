#include <array>

#include "algorithms/component.hpp"
#include "algorithms/stehle_heterogeneous/chunk_pipeline.cuh"
#include "algorithms/stehle_heterogeneous/shared_result.hpp"

namespace sortlab {
namespace {

using namespace heterogeneous;

class HeterogeneousSorter final : public Sorter {
 public:
  HeterogeneousSorter(const Problem& problem, const Settings& settings, const Resources& resources)
      : pipeline_(problem, settings, resources) {
    const Chunks& chunks = pipeline_.chunks();
    if (chunks.count == 1 || chunks.size() == 0) return;  // sorted in place
    for (int chunk = 0; chunk <= chunks.count; ++chunk) bounds_.push_back(chunks.begin(chunk));
    result_ =
        SharedResult::of(problem.n * byte_size(problem.key), problem.n * byte_size(problem.value), resources.pages);
    merger_ = make_run_merger(settings.merge, problem, resources);
  }

  std::uint64_t scratch_bytes() const override {
    if (!merger_) return pipeline_.scratch_bytes();
    return pipeline_.scratch_bytes() + result_->keys.size() + result_->values.size() + merger_->scratch_bytes();
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    pipeline_.sort(data, phases);
    if (!merger_) return data;
    Buffers merged = data;
    merged.keys.data = result_->keys.data();
    if (merged.values.count > 0) merged.values.data = result_->values.data();
    merger_->merge(data, bounds_, merged, phases);
    return merged;
  }

 private:
  ChunkPipeline pipeline_;
  std::vector<std::uint64_t> bounds_;
  std::shared_ptr<const SharedResult> result_;
  std::unique_ptr<RunMerger> merger_;
};

class ChunkedSort final : public Runnable {
 public:
  ChunkedSort(const Problem& problem, const Settings& settings, const Resources& resources)
      : pipeline_(problem, settings, resources) {}

  std::uint64_t scratch_bytes() const override { return pipeline_.scratch_bytes(); }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    pipeline_.sort(data, phases);
    return data;
  }
  Postcondition postcondition() const override {
    const Chunks& chunks = pipeline_.chunks();
    return {.order = {.tile = chunks.count == 1 ? 0 : chunks.size()}, .stable = false};
  }

 private:
  ChunkPipeline pipeline_;
};

}  // namespace

std::unique_ptr<Sorter> make_stehle_heterogeneous(const Problem& problem, const Parameters& parameters,
                                                  const Resources& resources) {
  return std::make_unique<HeterogeneousSorter>(problem, resolve_settings(parameters), resources);
}

std::unique_ptr<Runnable> make_chunked_sort(const Problem& problem, const Parameters& parameters,
                                            const Resources& resources) {
  return std::make_unique<ChunkedSort>(problem, resolve_settings(parameters), resources);
}

}  // namespace sortlab
