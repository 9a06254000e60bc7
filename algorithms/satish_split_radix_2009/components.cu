// Runs single kernels of a pass, with the memory of the sort. set_up() leaves in it the output of the preceding
// kernels.
#include "algorithms/component.hpp"
#include "algorithms/satish_split_radix_2009/pass_launcher.cuh"

namespace sortlab {
namespace split_radix_2009 {
namespace {

using Word = std::uint32_t;

/// Component on pairs of u32.
template <int kItems>
class Part : public Runnable {
 public:
  Part(const Problem& problem, const Parameters& parameters, const Resources& resources)
      : stream_(cuda_stream(resources)), passes_(problem, key_order<Word>(), parameters, resources) {}

  std::uint64_t scratch_bytes() const override { return passes_.scratch_bytes(); }
  Postcondition postcondition() const override { return {.order = {.bits = passes_.digit(0).bits()}}; }

 protected:
  /// Clears the output of an earlier run, or of set_up().
  void clear(const Buffers& arrays) const {
    check(cudaMemsetAsync(arrays.keys.data, 0, arrays.keys.count * sizeof(Word), stream_));
    check(cudaMemsetAsync(arrays.values.data, 0, arrays.values.count * sizeof(Word), stream_));
  }

  cudaStream_t stream_;
  PassLauncher<kItems, Word, Word> passes_;
};

template <int kItems>
class CountedPresortPart final : public Part<kItems> {
 public:
  using Part<kItems>::Part;

  void set_up(const Buffers&) override {
    this->clear(this->passes_.second());
    this->passes_.clear_ranks();
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const int passes = this->passes_.count();
    last_ = verified_ % passes;
    for (int i = 1; i <= passes; ++i) {
      const int pass = (last_ + i) % passes;
      {
        const auto phase = phases.phase("sort tiles", pass);
        this->passes_.launch_sort_tiles(pass, data);
      }
      const auto phase = phases.phase("find offsets", pass);
      this->passes_.launch_find_offsets(pass, data.keys.count);
    }
    return this->passes_.second();
  }
  /// Each verified run ends with another digit, so that eight of them cover all.
  Buffers finish(const Buffers& output) override {
    ++verified_;
    return output;
  }
  Postcondition postcondition() const override {
    const Digit<Word> digit = this->passes_.digit(last_);
    return {.order = {.shift = digit.shift(), .bits = digit.bits(), .tile = this->passes_.tile()}};
  }

 private:
  int verified_ = 0;
  int last_ = 0;
};

template <int kItems>
class ScanPart final : public Part<kItems> {
 public:
  using Part<kItems>::Part;

  void set_up(const Buffers& data) override {
    this->passes_.launch_sort_tiles(0, data);
    this->passes_.clear_ranks();
    this->passes_.launch_find_offsets(0, data.keys.count);
    this->clear(data);
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto phase = phases.phase("scan");
    this->passes_.launch_scan();
    return data;
  }
  Buffers finish(const Buffers& data) override {
    this->passes_.launch_scatter(0, data);
    return data;
  }
};

template <int kItems>
class ShufflePart final : public Part<kItems> {
 public:
  using Part<kItems>::Part;

  void set_up(const Buffers& data) override {
    this->passes_.launch_sort_tiles(0, data);
    this->passes_.launch_find_offsets(0, data.keys.count);
    this->passes_.launch_scan();
    this->clear(data);
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto phase = phases.phase("scatter");
    this->passes_.launch_scatter(0, data);
    return data;
  }
};

template <template <int> class Of>
std::unique_ptr<Runnable> make_part(const Problem& problem, const Parameters& parameters, const Resources& resources) {
  return with_items(parameters, [&]<int kItems>() -> std::unique_ptr<Runnable> {
    return std::make_unique<Of<kItems>>(problem, parameters, resources);
  });
}

}  // namespace
}  // namespace split_radix_2009

std::unique_ptr<Runnable> make_satish_2009_presort(const Problem& problem, const Parameters& parameters,
                                                   const Resources& resources) {
  return split_radix_2009::make_part<split_radix_2009::CountedPresortPart>(problem, parameters, resources);
}
std::unique_ptr<Runnable> make_satish_2009_scan(const Problem& problem, const Parameters& parameters,
                                                const Resources& resources) {
  return split_radix_2009::make_part<split_radix_2009::ScanPart>(problem, parameters, resources);
}
std::unique_ptr<Runnable> make_satish_2009_shuffle(const Problem& problem, const Parameters& parameters,
                                                   const Resources& resources) {
  return split_radix_2009::make_part<split_radix_2009::ShufflePart>(problem, parameters, resources);
}

}  // namespace sortlab
