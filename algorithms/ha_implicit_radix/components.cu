// Runs single kernels of a pass, with the memory of the sort. set_up() leaves in it the output of the preceding
// kernels.
#include "algorithms/component.hpp"
#include "algorithms/ha_implicit_radix/make_sorter.cuh"

namespace sortlab {
namespace ha {
namespace {

using Word = std::uint32_t;

/// Component on pairs of u32, whose bits are already ordered: no pass maps a key.
template <class P>
class Part : public Runnable {
 public:
  Part(const Problem& problem, const Settings& settings, const Resources& resources)
      : stream_(cuda_stream(resources)),
        pairs_(settings.scatter == Scatter::aos),
        passes_(problem, settings, key_order<Word>(), resources) {}

  std::uint64_t scratch_bytes() const override { return passes_.scratch_bytes(); }

 protected:
  Elements<Word, Word> in(const Buffers& data) const { return passes_.elements(data); }
  Elements<Word, Word> middle(const Buffers& data) const { return passes_.middle(passes_.scratch_as_arrays(data)); }

  /// Pre-sorts the input's tiles in place by the lowest digit.
  void presort_input(const Buffers& data) {
    passes_.launch_presort(0, data.keys.count, in(data), in(data));
    passes_.clear_scratch();
  }
  /// Shuffles the pre-sorted input into the scratch memory; returns it in the layout of `shuffled()`.
  Buffers shuffle_input(const Buffers& data) {
    Buffers scratch = passes_.scratch_as_arrays(data);
    passes_.launch_shuffle(0, data.keys.count, in(data), middle(data), passes_.elements(scratch));
    if (pairs_) scratch.values = {};
    return scratch;
  }
  Postcondition shuffled() const {
    return {.order = {.bits = P::kDigitBits}, .layout = pairs_ ? Layout::together : Layout::separate};
  }

  cudaStream_t stream_;
  bool pairs_;  ///< true if passes exchange pairs
  PassLauncher<P> passes_;
};

/// Joins the arrays into pairs, as a shuffle that writes pairs leaves them.
__global__ void make_pairs(Elements<Word, Word> from, Pair<Word, Word>* to, std::uint64_t n) {
  const std::uint64_t i = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = {from.values[i], from.keys[i]};
}

/// Pre-sort component. Each iteration reads the output of a shuffle, as seven of the eight in a sort do.
template <class P>
class PresortPart final : public Part<P> {
 public:
  using Part<P>::Part;

  void set_up(const Buffers& data) override {
    const std::uint64_t n = data.keys.count;
    if (this->pairs_) {
      constexpr unsigned threads = 256;
      make_pairs<<<static_cast<unsigned>((n + threads - 1) / threads), threads, 0, this->stream_>>>(
          this->in(data), this->middle(data).pairs, n);
      check_launch();
      return;
    }
    const Elements<Word, Word> middle = this->middle(data);
    check(cudaMemcpyAsync(middle.keys, data.keys.data, n * sizeof(Word), cudaMemcpyDeviceToDevice, this->stream_));
    check(cudaMemcpyAsync(middle.values, data.values.data, n * sizeof(Word), cudaMemcpyDeviceToDevice, this->stream_));
  }

  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const int passes = this->passes_.launched();
    last_ = verified_ % passes;
    for (int i = 1; i <= passes; ++i) {
      const int pass = (last_ + i) % passes;
      const auto phase = phases.phase("presort", pass);
      this->passes_.launch_presort(pass, data.keys.count, this->middle(data), this->in(data));
    }
    return data;
  }

  /// Each verified run ends with another digit, so that eight of them cover all.
  Buffers finish(const Buffers& output) override {
    ++verified_;
    return output;
  }
  Postcondition postcondition() const override {
    return {.order = {.shift = last_ * P::kDigitBits, .bits = P::kDigitBits, .tile = P::kTile}};
  }

 private:
  int verified_ = 0;
  int last_ = 0;
};

template <class P>
class RankPart final : public Part<P> {
 public:
  using Part<P>::Part;

  void set_up(const Buffers& data) override {
    this->presort_input(data);
    this->passes_.clear_ranks();
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto phase = phases.phase("rank");
    this->passes_.launch_rank(data.keys.count);
    return data;
  }
  Buffers finish(const Buffers& data) override { return this->shuffle_input(data); }
  Postcondition postcondition() const override { return this->shuffled(); }
};

template <class P>
class ShufflePart final : public Part<P> {
 public:
  using Part<P>::Part;

  void set_up(const Buffers& data) override {
    this->presort_input(data);
    this->passes_.launch_rank(data.keys.count);
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto phase = phases.phase("shuffle");
    return this->shuffle_input(data);
  }
  Postcondition postcondition() const override { return this->shuffled(); }
};

/// Copy component: from one array that holds the keys and then the values to another.
class CopyPart final : public Runnable {
 public:
  CopyPart(const Problem& problem, const Resources& resources)
      : stream_(cuda_stream(resources)), from_(2 * problem.n * sizeof(Word)), to_(from_.size()) {}

  std::uint64_t scratch_bytes() const override { return from_.size() + to_.size(); }

  void set_up(const Buffers& data) override {
    const std::uint64_t bytes = from_.size() / 2;
    check(cudaMemcpyAsync(from_.data(), data.keys.data, bytes, cudaMemcpyDeviceToDevice, stream_));
    check(cudaMemcpyAsync(from_.data() + bytes, data.values.data, bytes, cudaMemcpyDeviceToDevice, stream_));
    check(cudaMemsetAsync(to_.data(), 0, to_.size(), stream_));
  }
  Buffers run(const Buffers& data, PhaseTimer&) override {
    check(cudaMemcpyAsync(to_.data(), from_.data(), from_.size(), cudaMemcpyDeviceToDevice, stream_));
    Buffers copy = data;
    copy.keys.data = to_.data();
    copy.values.data = to_.data() + to_.size() / 2;
    return copy;
  }
  Postcondition postcondition() const override { return {.order = {.bits = 0}}; }

 private:
  cudaStream_t stream_;
  DeviceMemory from_;
  DeviceMemory to_;
};

template <template <class> class Of>
std::unique_ptr<Runnable> make_part(const Problem& problem, const Parameters& parameters, const Resources& resources) {
  return with_pass<Word, Word, ExactMap<Word>>(parameters, [&]<class P>() -> std::unique_ptr<Runnable> {
    return std::make_unique<Of<P>>(problem, resolve_settings(parameters), resources);
  });
}

}  // namespace
}  // namespace ha

std::unique_ptr<Runnable> make_ha_presort(const Problem& problem, const Parameters& parameters,
                                          const Resources& resources) {
  return ha::make_part<ha::PresortPart>(problem, parameters, resources);
}
std::unique_ptr<Runnable> make_ha_global_rank(const Problem& problem, const Parameters& parameters,
                                              const Resources& resources) {
  return ha::make_part<ha::RankPart>(problem, parameters, resources);
}
std::unique_ptr<Runnable> make_ha_shuffle(const Problem& problem, const Parameters& parameters,
                                          const Resources& resources) {
  return ha::make_part<ha::ShufflePart>(problem, parameters, resources);
}
std::unique_ptr<Runnable> make_ha_memcpy(const Problem& problem, const Parameters&, const Resources& resources) {
  return std::make_unique<ha::CopyPart>(problem, resources);
}

}  // namespace sortlab
