// Host side of the sort: runs its levels, with the same launches for any keys. The host waits for the device after each
// level, to learn what remains.
#pragma once

#include <random>

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/leischner_sample_sort/make_sorter.cuh"
#include "algorithms/leischner_sample_sort/sample.cuh"
#include "algorithms/leischner_sample_sort/scatter.cuh"
#include "algorithms/leischner_sample_sort/sort_buckets.cuh"
#include "core/cuda/occupancy.hpp"

namespace sortlab::sample_sort {

/// Memory of a level's lists and counters.
class LevelMemory {
 public:
  LevelMemory(const Settings& settings, std::uint64_t n, std::size_t key_bytes)
      : by_size_(settings.bucket_sort == BucketSort::quicksort),
        wide_(n >> 32 != 0),
        bounds_(list_bounds(settings, n)),
        listed_(std::max<std::uint64_t>(bounds_.ways, 1)),
        state_(sizeof(State)),
        segments_(bounds_.segments * sizeof(Segment)),
        tiles_(bounds_.tiles * sizeof(std::uint32_t)),
        splitters_(bounds_.ways * key_bytes),
        counters_(bounds_.counters * (wide_ ? sizeof(std::uint64_t) : sizeof(std::uint32_t))),
        ids_(settings.ids == Ids::stored ? n * sizeof(std::uint16_t) : 0),
        larger_(bounds_.segments * sizeof(Range)),
        equal_(bounds_.ways * sizeof(Range)),
        buckets_(listed_ * (by_size_ ? 2 : kClasses) * sizeof(Bucket)),
        sizes_(by_size_ ? 2 * listed_ * sizeof(std::uint32_t) : 0),
        scratch_(std::max(scan_bytes(wide_, bounds_.counters), by_size_ ? order_bytes(listed_) : 0)) {
    lists_.state = state_.data<State>();
    lists_.equal = equal_.data<Range>();
    lists_.larger = larger_.data<Range>();
    lists_.max_bucket = settings.bucket;
    for (std::uint32_t c = 0; c < kClasses; ++c) {
      // Quicksort has one class; the second part of the memory is for the order by size.
      lists_.buckets[c] = buckets_.data<Bucket>() + (by_size_ ? 0 : c * listed_);
      const std::uint64_t end =
          by_size_ ? settings.bucket : std::min<std::uint64_t>(class_elements(c, key_bytes), settings.bucket);
      lists_.class_ends[c] = static_cast<std::uint32_t>(end);
    }
  }

  std::uint64_t bytes() const {
    return state_.size() + segments_.size() + tiles_.size() + splitters_.size() + counters_.size() + ids_.size() +
           larger_.size() + equal_.size() + buckets_.size() + sizes_.size() + scratch_.size();
  }
  const Lists& lists() const { return lists_; }
  std::uint64_t listed() const { return listed_; }
  Segment* segments() const { return segments_.data<Segment>(); }
  std::uint32_t* tiles() const { return tiles_.data<std::uint32_t>(); }
  void* splitters() const { return splitters_.data(); }
  Counters counters() const { return {.data = counters_.data(), .wide = wide_}; }
  std::uint16_t* ids() const { return ids_.data<std::uint16_t>(); }

  /// Turns a level's counters into positions, and the one after them into the total.
  void scan(std::uint64_t counters, cudaStream_t stream) const {
    const std::size_t width = wide_ ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
    check(cudaMemsetAsync(counters_.data() + counters * width, 0, width, stream));
    scan_counters(this->counters(), counters + 1, scratch_.data(), scratch_.size(), stream);
  }
  /// Buckets of quicksort's only class, in descending order of size.
  const Bucket* by_size(std::uint32_t count, cudaStream_t stream) const {
    auto* const sizes = sizes_.data<std::uint32_t>();
    return order_by_size(lists_.buckets[0], lists_.buckets[0] + listed_, sizes, sizes + listed_, count, scratch_.data(),
                         scratch_.size(), stream);
  }

 private:
  bool by_size_;
  bool wide_;
  Bounds bounds_;
  std::uint64_t listed_;  ///< capacity of a list, in buckets
  DeviceMemory state_, segments_, tiles_, splitters_, counters_, ids_, larger_, equal_, buckets_, sizes_, scratch_;
  Lists lists_{};
};

/// The kernels of a level, with the memory of their lists. A sort runs them in sequence; probes time each. Functions
/// that launch a kernel are not inline: in files that use the compiled levels (compiled_levels.cuh), an inlined launch
/// would name a kernel that the file does not register.
template <class Word, class V>
class SampleLevels {
 public:
  SampleLevels(std::uint64_t n, KeyOrder<Word> order, const Settings& settings)
      : order_(order), settings_(settings), memory_(settings, n, sizeof(Word)) {}

  std::uint64_t bytes() const { return memory_.bytes(); }
  const LevelMemory& memory() const { return memory_; }

  /// Lists the input as one range, and returns the resulting state of the device without waiting for it.
  State begin(std::uint64_t n, cudaStream_t stream) const {
    const Lists& lists = memory_.lists();
    check(cudaMemsetAsync(lists.state, 0, sizeof(State), stream));
    list_input(lists, n, stream);
    lay_out(lists, settings_, memory_.segments(), stream);
    State state{};
    if (n > settings_.bucket) {
      const std::uint32_t log = log_ways(settings_, n);
      state.segments = 1;
      state.tiles = static_cast<std::uint32_t>((n + settings_.tile - 1) / settings_.tile);
      state.counters = (std::uint64_t{state.tiles} << log) * kept_counters(settings_);
      state.ways = std::uint64_t{1} << log;
    } else {
      std::uint32_t size_class = 0;
      while (lists.class_ends[size_class] < n) ++size_class;
      state.buckets[size_class] = 1;
    }
    return state;
  }

  Split<Word> split(const Arrays<Word, V>& arrays, std::uint32_t from, const State& state, std::uint32_t seed) const {
    return {.keys = arrays.keys[from],
            .segments = memory_.segments(),
            .segment_of_tile = state.segments > 1 ? memory_.tiles() : nullptr,
            .splitters = static_cast<Word*>(memory_.splitters()),
            .counters = memory_.counters(),
            .ids = settings_.ids == Ids::stored ? memory_.ids() : nullptr,
            .order = order_,
            .tile = settings_.tile,
            .groups = settings_.counters,
            .kept = kept_counters(settings_),
            .oversampling = settings_.oversampling,
            .network = settings_.network,
            .vote = settings_.vote,
            .seed = seed};
  }
  void sample(const Split<Word>& split, const State& state, cudaStream_t stream) const;
  void find(const Split<Word>& split, const State& state, cudaStream_t stream) const;
  void scan(const State& state, cudaStream_t stream) const { memory_.scan(state.counters, stream); }
  void scatter(const Split<Word>& split, const Arrays<Word, V>& arrays, std::uint32_t from, const State& state,
               cudaStream_t stream) const;
  /// Lists the segments' buckets, and waits for the device to read back the `state` of the next level.
  void list(const Split<Word>& split, std::uint32_t from, State& state, cudaStream_t stream) const;
  /// Copies buckets of equal keys to the result's array.
  void copy(const Arrays<Word, V>& arrays, const State& state, cudaStream_t stream) const;

  /// True if the lists have room for the buckets of one more level.
  bool fits(const State& state) const {
    return std::ranges::all_of(state.buckets,
                               [&](std::uint32_t buckets) { return buckets + state.ways <= memory_.listed(); });
  }
  /// Sorts the buckets listed so far, and clears their lists.
  void sort_listed(const Arrays<Word, V>& arrays, State& state, cudaStream_t stream) const;

 private:
  bool is_direct() const { return settings_.scatter == Scatter::direct; }
  static std::uint32_t merged_bytes(std::uint32_t size_class) {
    return static_cast<std::uint32_t>(merge_bytes(kMergeThreads[size_class], sizeof(Word), kHasValue<V>, kOverread));
  }
  std::uint32_t scatter_bytes() const {
    return static_cast<std::uint32_t>(is_direct()
                                          ? direct_bytes(settings_, sizeof(Word))
                                          : reordered_bytes(settings_, sizeof(Word), kHasValue<V> ? sizeof(V) : 0));
  }
  template <class... Parameters, class... Arguments>
  static void launch(cudaStream_t stream, void (*kernel)(Parameters...), std::uint32_t blocks, std::uint32_t threads,
                     std::uint64_t shared_bytes, const Arguments&... arguments) {
    // Set for each launch, since sorters with other settings share the kernel.
    allow_shared_memory(kernel, shared_bytes);
    kernel<<<blocks, threads, shared_bytes, stream>>>(arguments...);
    check_launch();
  }

  KeyOrder<Word> order_;
  Settings settings_;
  LevelMemory memory_;
};

template <class Word, class V>
void SampleLevels<Word, V>::sample(const Split<Word>& split, const State& state, cudaStream_t stream) const {
  if (state.segments > 1) note_tiles(memory_.segments(), state.segments, memory_.tiles(), stream);
  launch(stream, choose_splitters<Word>, state.segments, kSampleThreads, sample_bytes(settings_, sizeof(Word)), split);
}

template <class Word, class V>
void SampleLevels<Word, V>::find(const Split<Word>& split, const State& state, cudaStream_t stream) const {
  launch(stream, find_buckets<Word>, state.tiles, settings_.threads, find_bytes(settings_, sizeof(Word)), split);
}

template <class Word, class V>
void SampleLevels<Word, V>::scatter(const Split<Word>& split, const Arrays<Word, V>& arrays, std::uint32_t from,
                                    const State& state, cudaStream_t stream) const {
  const Move<Word, V> move{.split = split,
                           .values = arrays.values[from],
                           .keys_out = arrays.keys[1 - from],
                           .values_out = arrays.values[1 - from]};
  launch(stream, is_direct() ? scatter_directly<Word, V> : scatter_reordered<Word, V>, state.tiles, settings_.threads,
         scatter_bytes(), move);
}

template <class Word, class V>
void SampleLevels<Word, V>::list(const Split<Word>& split, std::uint32_t from, State& state,
                                 cudaStream_t stream) const {
  const Lists& lists = memory_.lists();
  check(cudaMemsetAsync(&lists.state->equal, 0, sizeof(State) - offsetof(State, equal), stream));
  launch(stream, list_buckets<Word>, state.segments, kListThreads, 0, split, lists, from == 0);
  lay_out(lists, settings_, memory_.segments(), stream);
  check(cudaMemcpyAsync(&state, lists.state, sizeof(State), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
}

template <class Word, class V>
void SampleLevels<Word, V>::copy(const Arrays<Word, V>& arrays, const State& state, cudaStream_t stream) const {
  constexpr std::uint32_t few = 1024, column = 264;
  copy_ranges<<<dim3(state.equal, state.equal < few ? column : 1), 256, 0, stream>>>(arrays, memory_.lists().equal);
  check_launch();
}

template <class Word, class V>
void SampleLevels<Word, V>::sort_listed(const Arrays<Word, V>& arrays, State& state, cudaStream_t stream) const {
  const Lists& lists = memory_.lists();
  if (settings_.bucket_sort == BucketSort::quicksort) {
    if (const std::uint32_t count = state.buckets[0]; count > 0) {
      launch(stream, quicksort_buckets<Word, V>, count, kNetworkThreads, 0, arrays, memory_.by_size(count, stream),
             settings_.network);
    }
  } else {
    for (std::uint32_t c = kClasses; c-- > 0;) {
      if (state.buckets[c] == 0) continue;
      launch(stream, merge_sort_buckets<Word, V>, state.buckets[c], kMergeThreads[c], merged_bytes(c), arrays,
             static_cast<const Bucket*>(lists.buckets[c]));
    }
  }
  check(cudaMemsetAsync(lists.state->buckets, 0, sizeof(State::buckets), stream));
  std::ranges::fill(state.buckets, 0);
}

template <class Word, class V>
class SampleSorter final : public Sorter {
 public:
  SampleSorter(const Problem& problem, KeyOrder<Word> order, const Settings& settings, const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        seed_(static_cast<std::uint32_t>(settings.seed)),
        second_(problem),
        levels_(problem.n, order, settings) {}

  std::uint64_t scratch_bytes() const override { return second_.bytes() + levels_.bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const std::uint64_t n = data.keys.count;
    if (n < 2) return data;
    const Buffers& second = second_.buffers();
    const Arrays<Word, V> arrays{.keys = {static_cast<Word*>(data.keys.data), static_cast<Word*>(second.keys.data)},
                                 .values = {static_cast<V*>(data.values.data), static_cast<V*>(second.values.data)},
                                 .order = order_};
    std::mt19937 seeds{seed_};
    State state = in(phases, "list", 0, [&] { return levels_.begin(n, stream_); });
    int level = 0;
    for (; state.segments > 0; ++level) {
      if (!levels_.fits(state)) in(phases, "sort buckets", level, [&] { levels_.sort_listed(arrays, state, stream_); });
      const auto from = static_cast<std::uint32_t>(level) % 2;
      const Split<Word> split = levels_.split(arrays, from, state, seeds());
      in(phases, "sample", level, [&] { levels_.sample(split, state, stream_); });
      in(phases, "find", level, [&] { levels_.find(split, state, stream_); });
      in(phases, "scan", level, [&] { levels_.scan(state, stream_); });
      in(phases, "scatter", level, [&] { levels_.scatter(split, arrays, from, state, stream_); });
      in(phases, "list", level + 1, [&] { levels_.list(split, from, state, stream_); });
      if (state.equal > 0) in(phases, "copy", level, [&] { levels_.copy(arrays, state, stream_); });
    }
    in(phases, "sort buckets", level, [&] { levels_.sort_listed(arrays, state, stream_); });
    return data;
  }

 private:
  template <class F>
  static auto in(PhaseTimer& phases, const char* name, int pass, const F& f) {
    const auto phase = phases.phase(name, pass);
    return f();
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  std::uint32_t seed_;
  DeviceBuffers second_;
  SampleLevels<Word, V> levels_;
};

template <class Word, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, KeyOrder<Word> order, const Settings& settings,
                                    const Resources& resources) {
  return std::make_unique<SampleSorter<Word, V>>(problem, order, settings, resources);
}

}  // namespace sortlab::sample_sort
