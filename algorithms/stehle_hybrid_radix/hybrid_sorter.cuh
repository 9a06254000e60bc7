// Host side of the sort: runs its passes, with the same launches for any keys.
#pragma once

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/stehle_hybrid_radix/bucket_lists.cuh"
#include "algorithms/stehle_hybrid_radix/histogram.cuh"
#include "algorithms/stehle_hybrid_radix/host_lists.hpp"
#include "algorithms/stehle_hybrid_radix/local_block_radix.cuh"
#include "algorithms/stehle_hybrid_radix/local_ranked.cuh"
#include "algorithms/stehle_hybrid_radix/pairs.cuh"
#include "algorithms/stehle_hybrid_radix/scatter.cuh"
#include "algorithms/stehle_hybrid_radix/statistics.hpp"
#include "core/cuda/occupancy.hpp"

namespace sortlab::hybrid_radix {

/// A kernel with its launch configuration.
template <class... Arguments>
struct Launch {
  void (*kernel)(Arguments...) = nullptr;
  unsigned blocks = 0;
  unsigned threads = 0;
  std::uint32_t shared_bytes = 0;

  void operator()(cudaStream_t stream, const Arguments&... arguments) const {
    kernel<<<blocks, threads, shared_bytes, stream>>>(arguments...);
    check_launch();
  }
};
/// Calls `f` with threads and items of the first of `shapes` that `fits`. Throws std::logic_error if none does.
template <const auto& shapes, std::size_t index = 0, class Fits, class F>
void with_shape(const Fits& fits, const F& f) {
  constexpr Shape shape = shapes[index];
  if (fits(shape)) return f.template operator()<shape.threads, shape.items>();
  if constexpr (index + 1 < shapes.size()) return with_shape<shapes, index + 1>(fits, f);
  throw_no_code_for("threads and items", "given");
}

/// Launch configuration with as many blocks as are resident at once, but no more than there is work.
template <class... Arguments>
Launch<Arguments...> make_launch(void (*kernel)(Arguments...), int threads, std::uint64_t max_blocks,
                                 std::uint32_t shared_bytes = 0) {
  const std::uint64_t blocks = std::min<std::uint64_t>(resident_blocks(kernel, threads, shared_bytes), max_blocks);
  return {kernel, static_cast<unsigned>(std::max<std::uint64_t>(blocks, 1)), static_cast<unsigned>(threads),
          shared_bytes};
}

template <class Word, class V, class Offset>
class HybridPasses {
 public:
  using PassOf = Pass<Word, V, Offset>;
  using LocalPassOf = LocalPass<Word, V>;

  HybridPasses(std::uint64_t n, KeyOrder<Word> order, const Settings& settings)
      : settings_(settings),
        passes_{static_cast<int>(8 * sizeof(Word)), settings.digit_bits},
        order_(order),
        n_(n),
        bounds_(list_bounds(settings, n)),
        memory_(required_memory(settings, n, sizeof(Word) + (kHasValue<V> ? sizeof(V) : 0))),
        states_(sizeof(PassState) * static_cast<std::size_t>(passes_.count() + 1)),
        bucket_counts_(memory_.bucket_histograms),
        block_counts_(memory_.block_histograms),
        block_lists_(memory_.block_lists),
        local_(std::max<std::uint64_t>(memory_.local_lists, sizeof(LocalBucket<Offset>))) {
    auto* const blocks = block_lists_.data<BlockAssignment<Offset>>();
    tables_ = {.states = states_.data<PassState>(),
               .bucket_counts = bucket_counts_.data<Offset>(),
               .block_counts = block_counts_.data<std::uint32_t>(),
               .blocks = {blocks, blocks + bounds_.blocks},
               .local = local_.data<LocalBucket<Offset>>()};
    choose_launches();
  }

  int count() const { return passes_.count(); }
  std::uint64_t bytes() const {
    return states_.size() + bucket_counts_.size() + block_counts_.size() + block_lists_.size() + local_.size();
  }
  const Settings& settings() const { return settings_; }

  /// Lists the input as one bucket. Called before the first pass.
  void begin(cudaStream_t stream) {
    if (settings_.lists == Lists::host) listed_ = input_as_bucket<Offset>(n_);
    check(cudaMemsetAsync(states_.data(), 0, states_.size(), stream));
    list_input_(stream, tables_, rules_.classes, n_, settings_.local_keys, settings_.block_keys);
  }
  /// True if one local sort takes the whole input.
  bool is_local() const { return n_ <= settings_.local_keys; }

  PassOf pass(int number, const Buffers& from, const Buffers& to) const {
    const bool last = number + 1 == passes_.count();
    return {.keys = static_cast<const Word*>(from.keys.data),
            .values = static_cast<const V*>(from.values.data),
            .keys_out = static_cast<Word*>(to.keys.data),
            .values_out = static_cast<V*>(to.values.data),
            .tables = tables_,
            .in = number == 0 ? order_ : KeyOrder<Word>{},
            .out = last ? order_ : KeyOrder<Word>{},
            .number = number,
            .shift = passes_.shift(number),
            .bits = passes_.bits(number),
            .block_keys = settings_.block_keys,
            .look_ahead = settings_.look_ahead,
            .keeps = settings_.keeps};
  }

  void histogram(const PassOf& pass, cudaStream_t stream) const {
    clear(pass, stream);
    count(pass, stream);
  }
  void clear(const PassOf& pass, cudaStream_t stream) const { clear_(stream, tables_, pass.number, pass.digits()); }
  void count(const PassOf& pass, cudaStream_t stream) const { (maps(pass) ? count_mapped_ : count_)(stream, pass); }
  void prefix(const PassOf& pass, cudaStream_t stream) const { sum_(stream, pass, pass_rules(pass)); }
  void assign(const PassOf& pass, cudaStream_t stream) {
    if (is_last(pass)) return;
    if (settings_.lists == Lists::host) return assign_on_host(pass, stream);
    list_(stream, pass, pass_rules(pass));
  }
  void move(const PassOf& pass, cudaStream_t stream) const { (maps(pass) ? scatter_mapped_ : scatter_)(stream, pass); }

  /// Sorts the buckets that pass `number` listed into `to`; the whole input if is_local().
  void sort_locally(int number, const Buffers& from, const Buffers& to, cudaStream_t stream) const {
    LocalPassOf local{.keys = static_cast<const Word*>(from.keys.data),
                      .values = static_cast<const V*>(from.values.data),
                      .keys_out = static_cast<Word*>(to.keys.data),
                      .values_out = static_cast<V*>(to.values.data),
                      .list = LocalList{tables_.local},
                      .state = tables_.states + number,
                      .in = is_local() ? order_ : KeyOrder<Word>{},
                      .out = order_,
                      .shift = is_local() ? static_cast<int>(8 * sizeof(Word)) : passes_.shift(number),
                      .bits = is_local() ? 0 : passes_.bits(number),
                      .size_class = 0,
                      .left = false};
    for (const auto* launches : {&ranked_, &block_radix_}) {
      local.left = launches == &block_radix_ && !ranked_.empty();
      local.size_class = 0;
      for (const Launch<LocalPassOf>& launch : *launches) {
        launch(stream, local);
        ++local.size_class;
      }
    }
  }

  std::vector<PassStatistics> statistics() const;

 private:
  /// True if a pass maps keys between memory format and sort order: the first and the last, for signed and floating
  /// keys.
  bool maps(const PassOf& pass) const {
    return (pass.number == 0 || is_last(pass)) && (order_.flip != 0 || order_.flip_negative != 0);
  }
  bool is_last(const PassOf& pass) const { return pass.number + 1 == passes_.count(); }
  Rules pass_rules(const PassOf& pass) const {
    Rules rules = rules_;
    rules.list = !is_last(pass) && settings_.lists == Lists::device;
    return rules;
  }
  void assign_on_host(const PassOf& pass, cudaStream_t stream);
  void choose_launches();
  void choose_local_launches();

  Settings settings_;
  Passes passes_;
  KeyOrder<Word> order_;
  std::uint64_t n_;
  Bounds bounds_;
  Memory memory_;
  DeviceMemory states_;
  DeviceMemory bucket_counts_;
  DeviceMemory block_counts_;
  DeviceMemory block_lists_;
  DeviceMemory local_;
  Tables<Offset> tables_{};
  HostLists<Offset> listed_;  ///< lists of this pass, if made on the host
  std::vector<Offset> ends_;  ///< ends of the sub-buckets
  Rules rules_{};
  Launch<Tables<Offset>, ClassEnds, std::uint64_t, std::uint32_t, std::uint32_t> list_input_;
  Launch<Tables<Offset>, int, std::uint32_t> clear_;
  Launch<PassOf> count_;
  Launch<PassOf> count_mapped_;
  Launch<PassOf, Rules> sum_;
  Launch<PassOf, Rules> list_;
  Launch<PassOf> scatter_;
  Launch<PassOf> scatter_mapped_;
  std::vector<Launch<LocalPassOf>> ranked_;  ///< ranked sorts by size class
  /// Block radix sorts by size class: for the buckets that the ranked sorts left, or for all
  std::vector<Launch<LocalPassOf>> block_radix_;
};

template <class Word, class V, class Offset>
void HybridPasses<Word, V, Offset>::choose_launches() {
  constexpr std::uint32_t value_bytes = kHasValue<V> ? sizeof(V) : 0;
  const std::uint64_t blocks = std::max<std::uint64_t>(bounds_.blocks, 1);
  rules_ = {.classes = {},
            .local_keys = settings_.local_keys,
            .merge_keys = settings_.merge_keys,
            .list = true,
            .ranked = settings_.local_sort == LocalSort::ranked};
  list_input_ = make_launch(list_input<Offset>, kListThreads, (blocks + kListThreads - 1) / kListThreads);
  clear_ = make_launch(clear_histograms<Offset>, kListThreads, bounds_.buckets);
  sum_ = make_launch(sum_histograms<Word, V, Offset>, kListThreads, blocks);
  list_ = make_launch(list_buckets<Word, V, Offset>, kListThreads, blocks);
  const auto make_count = [&]<bool kMaps>() {
    return make_launch(settings_.thread_reduction ? count_digits<true, kMaps, Word, V, Offset>
                                                  : count_digits<false, kMaps, Word, V, Offset>,
                       settings_.threads, blocks);
  };
  count_ = make_count.template operator()<false>();
  count_mapped_ = make_count.template operator()<true>();
  const auto make_scatter = [&]<int kThreads, int kPerThread, bool kMaps>() {
    const bool beside = kHasValue<V> && settings_.staging == Staging::beside;
    return make_launch(beside ? scatter<kThreads, kPerThread, kHasValue<V>, kMaps, Word, V, Offset>
                              : scatter<kThreads, kPerThread, false, kMaps, Word, V, Offset>,
                       kThreads, blocks, scatter_bytes(settings_, sizeof(Word), value_bytes));
  };
  const auto is_chosen = [&](const Shape& shape) { return shape == settings_.shape(); };
  const auto launch_scatter = [&]<int kThreads, int kPerThread>() {
    scatter_ = make_scatter.template operator()<kThreads, kPerThread, false>();
    scatter_mapped_ = make_scatter.template operator()<kThreads, kPerThread, true>();
  };
  if constexpr (sizeof(Offset) == kWideOffsets) {
    with_shape<kWideShapes<sizeof(Word), value_bytes>>(is_chosen, launch_scatter);
  } else {
    with_shape<kShapes<sizeof(Word), value_bytes>>(is_chosen, launch_scatter);
  }

  choose_local_launches();
}

template <class Word, class V, class Offset>
void HybridPasses<Word, V, Offset>::choose_local_launches() {
  constexpr std::uint32_t value_bytes = kHasValue<V> ? sizeof(V) : 0;
  const LocalClasses classes = local_size_classes(settings_, sizeof(Word), value_bytes);
  rules_.classes.count = classes.count;
  for (int c = 0; c < classes.count; ++c) {
    const std::uint32_t end = std::min(classes.shapes[static_cast<std::size_t>(c)].keys(), settings_.local_keys);
    rules_.classes.keys[c] = end;
    const auto holds_class = [end](const Shape& of_kernel) { return of_kernel.keys() >= end; };
    const auto add = [&](auto& launches, auto* kernel, int threads, std::uint32_t shared_bytes) {
      launches.push_back(make_launch(kernel, threads, std::max<std::uint64_t>(bounds_.sub_buckets, 1), shared_bytes));
    };
    if (settings_.local_sort == LocalSort::ranked) {
      with_shape<kRankedShapes<sizeof(Word), value_bytes>>(holds_class, [&]<int kThreads, int kPerThread>() {
        add(ranked_, sort_by_rank<Word, V, kThreads, kPerThread>, kThreads,
            RankedStorage<Word, V, kThreads, kPerThread>::kBytes);
      });
    }
    const auto add_block_radix = [&]<int kThreads, int kPerThread>() {
      add(block_radix_, sort_by_block_radix<Word, V, kThreads, kPerThread>, kThreads, 0);
    };
    if (settings_.classes == Classes::released) {
      with_shape<kReleasedShapes<sizeof(Word), value_bytes>>(holds_class, add_block_radix);
    } else {
      with_shape<kBlockRadixShapes<sizeof(Word), value_bytes>>(holds_class, add_block_radix);
    }
  }
}

template <class Word, class V, class Offset>
void HybridPasses<Word, V, Offset>::assign_on_host(const PassOf& pass, cudaStream_t stream) {
  const auto to_device = [stream]<class T>(T* device, const std::vector<T>& host) {
    check(cudaMemcpyAsync(device, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice, stream));
  };
  ends_.resize(listed_.buckets.size() * pass.digits());
  check(cudaMemcpyAsync(ends_.data(), tables_.bucket_counts, ends_.size() * sizeof(Offset), cudaMemcpyDeviceToHost,
                        stream));
  check(cudaStreamSynchronize(stream));
  std::vector<PassState> states(2);
  const auto make_state = [&](const std::vector<HostBucket>& buckets) {
    PassState state{};
    state.buckets = static_cast<std::uint32_t>(buckets.size());
    for (const HostBucket& bucket : buckets) {
      state.keys += bucket.count;
      state.blocks += static_cast<std::uint32_t>((bucket.count + pass.block_keys - 1) / pass.block_keys);
    }
    return state;
  };
  HostLists<Offset> next =
      list_sub_buckets<Offset>(listed_.buckets, ends_, pass.digits(), rules_, settings_.block_keys);
  const PassState now = make_state(listed_.buckets);
  states[0] = next.state;
  states[0].buckets = now.buckets;
  states[0].blocks = now.blocks;
  states[0].keys = now.keys;
  states[1] = make_state(next.buckets);
  to_device(tables_.states + pass.number, states);
  to_device(tables_.blocks[(pass.number + 1) % 2], next.blocks);
  to_device(tables_.local, next.local);
  check(cudaStreamSynchronize(stream));
  listed_ = std::move(next);
}

template <class Word, class V, class Offset>
std::vector<PassStatistics> HybridPasses<Word, V, Offset>::statistics() const {
  std::vector<PassState> states(static_cast<std::size_t>(passes_.count()));
  check(cudaMemcpy(states.data(), states_.data(), states.size() * sizeof(PassState), cudaMemcpyDeviceToHost));
  std::vector<PassStatistics> all;
  for (const PassState& state : states) {
    std::uint64_t local = 0;
    for (const std::uint32_t buckets : state.local) local += buckets;
    all.push_back({.buckets = state.buckets,
                   .blocks = state.blocks,
                   .keys = state.keys,
                   .local = local,
                   .local_keys = state.local_keys,
                   .merged = state.merged,
                   .left = state.left});
  }
  return all;
}

/// Sorts separate arrays, or pairs in one array, which it splits first.
template <class Word, class V, class Offset>
class HybridSorter final : public HybridSorterBase {
 public:
  HybridSorter(const Problem& problem, KeyOrder<Word> order, const Settings& settings, const Resources& resources)
      : stream_(cuda_stream(resources)),
        together_(kHasValue<V> && problem.layout == Layout::together),
        second_(problem.n * (together_ ? sizeof(Pair<Word, V>) : sizeof(Word) + (kHasValue<V> ? sizeof(V) : 0))),
        passes_(problem.n, order, settings) {}

  std::uint64_t scratch_bytes() const override { return second_.size() + passes_.bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const std::uint64_t n = data.keys.count;
    if (n < 2) return data;
    const Buffers apart = arrays_in(second_.data(), n);
    if constexpr (kHasValue<V>) {
      if (together_) return sort_pairs(data, apart, phases);
    }
    return sort_arrays(data, apart, phases);
  }

  std::vector<PassStatistics> statistics() const override { return passes_.statistics(); }

 private:
  /// Layout of n keys and n values in one block of memory: the wider ones first, so that both are aligned.
  static Buffers arrays_in(void* memory, std::uint64_t n) {
    auto* const begin = static_cast<std::byte*>(memory);
    if constexpr (!kHasValue<V>) {
      return {.keys = {.data = begin, .count = n}, .values = {}};
    } else if constexpr (sizeof(Word) >= sizeof(V)) {
      return {.keys = {.data = begin, .count = n}, .values = {.data = begin + n * sizeof(Word), .count = n}};
    } else {
      return {.keys = {.data = begin + n * sizeof(V), .count = n}, .values = {.data = begin, .count = n}};
    }
  }

  /// Sorts the arrays in `data` with `other` as second set; returns the one that holds the result.
  Buffers sort_arrays(const Buffers& data, const Buffers& other, PhaseTimer& phases) {
    const std::array<Buffers, 2> arrays{data, other};
    const Buffers& result = arrays[static_cast<std::size_t>(passes_.count() % 2)];
    if (passes_.is_local()) {
      const auto phase = phases.phase("local sort", 0);
      passes_.begin(stream_);
      passes_.sort_locally(0, data, result, stream_);
      return result;
    }
    for (int number = 0; number < passes_.count(); ++number) {
      const Buffers& from = arrays[static_cast<std::size_t>(number % 2)];
      const Buffers& to = arrays[static_cast<std::size_t>((number + 1) % 2)];
      run(passes_.pass(number, from, to), phases);
      if (number + 1 == passes_.count()) break;
      const auto phase = phases.phase("local sort", number);
      passes_.sort_locally(number, to, result, stream_);
    }
    return result;
  }
  void run(const Pass<Word, V, Offset>& pass, PhaseTimer& phases) {
    {
      const auto phase = phases.phase("histogram", pass.number);
      if (pass.number == 0) passes_.begin(stream_);
      passes_.histogram(pass, stream_);
    }
    {
      const auto phase = phases.phase("prefix", pass.number);
      passes_.prefix(pass, stream_);
    }
    if (pass.number + 1 < passes_.count()) {
      const auto phase = phases.phase("assign", pass.number);
      passes_.assign(pass, stream_);
    }
    const auto phase = phases.phase("scatter", pass.number);
    passes_.move(pass, stream_);
  }

  /// Sorts pairs in one array; its memory serves as the second set of arrays.
  Buffers sort_pairs(const Buffers& data, const Buffers& apart, PhaseTimer& phases) {
    const std::uint64_t n = data.keys.count;
    {
      const auto phase = phases.phase("decompose");
      decompose_pairs<Word, V>(data, apart, stream_);
    }
    const Buffers sorted = sort_arrays(apart, arrays_in(data.keys.data, n), phases);
    const auto phase = phases.phase("recompose");
    const bool is_apart = sorted.keys.data == apart.keys.data;
    const Buffers pairs{.keys = {.data = is_apart ? data.keys.data : second_.data(), .count = n}, .values = {}};
    recompose_pairs<Word, V>(sorted, pairs, stream_);
    return pairs;
  }

  cudaStream_t stream_;
  bool together_;
  DeviceMemory second_;
  HybridPasses<Word, V, Offset> passes_;
};

}  // namespace sortlab::hybrid_radix
