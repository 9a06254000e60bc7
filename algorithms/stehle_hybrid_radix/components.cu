// Runs single kernels of the sort, with its memory.
#include "algorithms/component.hpp"
#include "algorithms/stehle_hybrid_radix/compiled_passes.cuh"
#include "algorithms/stehle_hybrid_radix/settings.hpp"

namespace sortlab {
namespace hybrid_radix {
namespace {

/// The first pass, or a part of it.
template <class Word>
class PassPart : public Runnable {
 public:
  PassPart(const Problem& problem, const Settings& settings, const Resources& resources)
      : stream_(cuda_stream(resources)),
        second_(problem),
        passes_(problem.n, make_key_order<Word>(problem.key), settings) {}

  std::uint64_t scratch_bytes() const override { return second_.bytes() + passes_.bytes(); }
  void set_up(const Buffers&) override { passes_.begin(stream_); }
  Postcondition postcondition() const override {
    const Passes plan{8 * sizeof(Word), passes_.settings().digit_bits};
    return {.order = {.shift = plan.shift(0), .bits = plan.bits(0)}, .stable = false};
  }

 protected:
  auto pass(const Buffers& data) const { return passes_.pass(0, data, second_.buffers()); }

  cudaStream_t stream_;
  DeviceBuffers second_;
  HybridPasses<Word, NoValue, std::uint32_t> passes_;
};

template <class Word>
class HistogramPart final : public PassPart<Word> {
 public:
  using PassPart<Word>::PassPart;

  /// Also clears the counters: the sort does so in the same phase, but the paper's kernel does not.
  void set_up(const Buffers& data) override {
    this->passes_.begin(this->stream_);
    this->passes_.clear(this->pass(data), this->stream_);
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto phase = phases.phase("histogram");
    this->passes_.count(this->pass(data), this->stream_);
    return data;
  }
  Buffers finish(const Buffers& data) override {
    this->passes_.prefix(this->pass(data), this->stream_);
    this->passes_.move(this->pass(data), this->stream_);
    return this->second_.buffers();
  }
};

template <class Word>
class CountingPassPart final : public PassPart<Word> {
 public:
  using PassPart<Word>::PassPart;

  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto pass = this->pass(data);
    {
      const auto phase = phases.phase("histogram");
      this->passes_.histogram(pass, this->stream_);
    }
    {
      const auto phase = phases.phase("prefix");
      this->passes_.prefix(pass, this->stream_);
    }
    const auto phase = phases.phase("scatter");
    this->passes_.move(pass, this->stream_);
    return this->second_.buffers();
  }
};

/// Splits pairs into separate arrays, or joins them.
template <class Word, bool kApart>
class PairsPart final : public Runnable {
 public:
  PairsPart(const Problem& problem, const Resources& resources)
      : stream_(cuda_stream(resources)), pairs_(problem.n * sizeof(Pair<Word, Word>)), apart_(problem) {}

  std::uint64_t scratch_bytes() const override { return pairs_.size() + apart_.bytes(); }
  void set_up(const Buffers& data) override {
    if constexpr (kApart) recompose_pairs<Word, Word>(data, pairs(data.keys.count), stream_);
  }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    const auto phase = phases.phase(kApart ? "decompose" : "recompose");
    if constexpr (kApart) {
      decompose_pairs<Word, Word>(pairs(data.keys.count), apart_.buffers(), stream_);
      return apart_.buffers();
    } else {
      recompose_pairs<Word, Word>(data, pairs(data.keys.count), stream_);
      return pairs(data.keys.count);
    }
  }
  Postcondition postcondition() const override {
    return {.order = {.bits = 0}, .layout = kApart ? Layout::separate : Layout::together};
  }

 private:
  Buffers pairs(std::uint64_t n) const { return {.keys = {.data = pairs_.data(), .count = n}, .values = {}}; }

  cudaStream_t stream_;
  DeviceMemory pairs_;
  DeviceBuffers apart_;
};

/// Calls `f.template operator()<Word>()` with the unsigned type of a component's keys (u32 or u64).
template <class F>
std::unique_ptr<Runnable> with_word(const Problem& problem, const F& f) {
  if (byte_size(problem.key) == sizeof(std::uint32_t)) return f.template operator()<std::uint32_t>();
  return f.template operator()<std::uint64_t>();
}

template <template <class> class Part>
std::unique_ptr<Runnable> make_part(const Problem& problem, const Parameters& parameters, const Resources& resources,
                                    bool keeps) {
  Settings settings = resolve_settings(parameters, problem);
  settings.keeps = keeps;
  return with_word(problem, [&]<class Word>() -> std::unique_ptr<Runnable> {
    return std::make_unique<Part<Word>>(problem, settings, resources);
  });
}

}  // namespace
}  // namespace hybrid_radix

using namespace hybrid_radix;

std::unique_ptr<Runnable> make_stehle_histogram(const Problem& problem, const Parameters& parameters,
                                                const Resources& resources) {
  return make_part<HistogramPart>(problem, parameters, resources, true);
}
std::unique_ptr<Runnable> make_stehle_counting_pass(const Problem& problem, const Parameters& parameters,
                                                    const Resources& resources) {
  return make_part<CountingPassPart>(problem, parameters, resources, true);
}
std::unique_ptr<Runnable> make_stehle_counting_pass_recount(const Problem& problem, const Parameters& parameters,
                                                            const Resources& resources) {
  return make_part<CountingPassPart>(problem, parameters, resources, false);
}
std::unique_ptr<Runnable> make_stehle_decompose(const Problem& problem, const Parameters&, const Resources& resources) {
  return with_word(problem, [&]<class Word>() -> std::unique_ptr<Runnable> {
    return std::make_unique<PairsPart<Word, true>>(problem, resources);
  });
}
std::unique_ptr<Runnable> make_stehle_recompose(const Problem& problem, const Parameters&, const Resources& resources) {
  return with_word(problem, [&]<class Word>() -> std::unique_ptr<Runnable> {
    return std::make_unique<PairsPart<Word, false>>(problem, resources);
  });
}

}  // namespace sortlab
