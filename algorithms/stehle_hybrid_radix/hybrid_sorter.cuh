// The passes of the sort: the same launches whatever the keys.
#pragma once

#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/dispatch.hpp"
#include "algorithms/stehle_hybrid_radix/bucket_lists.cuh"
#include "algorithms/stehle_hybrid_radix/histogram.cuh"
#include "algorithms/stehle_hybrid_radix/local_sort.cuh"
#include "algorithms/stehle_hybrid_radix/pairs.cuh"
#include "algorithms/stehle_hybrid_radix/scatter.cuh"
#include "algorithms/stehle_hybrid_radix/statistics.hpp"

namespace sortlab::hybrid_radix {

/// Blocks of a kernel that the device holds at once.
template <class Kernel>
unsigned resident_blocks(Kernel* kernel, int threads, std::uint32_t shared_bytes) {
  if (shared_bytes > 0) {
    check(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared_bytes)));
  }
  int device = 0, multiprocessors = 0, blocks = 0;
  check(cudaGetDevice(&device));
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device));
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, shared_bytes));
  return static_cast<unsigned>(std::max(blocks, 1) * multiprocessors);
}

/// A kernel with how it is launched.
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
/// Calls `f` with threads and items of the first of `blocks`, ascending, that holds `keys` keys.
template <const auto& blocks, std::size_t index = 0, class F>
void with_block_for(std::uint32_t keys, const F& f) {
  constexpr LocalBlock block = blocks[index];
  if constexpr (index + 1 < blocks.size()) {
    if (keys > block.keys()) return with_block_for<blocks, index + 1>(keys, f);
  }
  if (keys > block.keys()) throw_no_code_for("local_keys", std::to_string(keys));
  f.template operator()<block.threads, block.items>();
}

/// As many blocks as the device holds at once, and no more than there is work for.
template <class... Arguments>
Launch<Arguments...> launch_of(void (*kernel)(Arguments...), int threads, std::uint64_t most_blocks,
                               std::uint32_t shared_bytes = 0) {
  const std::uint64_t blocks = std::min<std::uint64_t>(resident_blocks(kernel, threads, shared_bytes), most_blocks);
  return {kernel, static_cast<unsigned>(std::max<std::uint64_t>(blocks, 1)), static_cast<unsigned>(threads),
          shared_bytes};
}

template <class Word, class V, class Offset>
class HybridPasses {
 public:
  using PassOf = Pass<Word, V, Offset>;
  using LocalPassOf = LocalPass<Word, V, Offset>;

  HybridPasses(std::uint64_t n, KeyOrder<Word> order, const Settings& settings)
      : settings_(settings),
        passes_{static_cast<int>(8 * sizeof(Word)), settings.digit_bits},
        order_(order),
        n_(n),
        bounds_(bounds_of(settings, n)),
        memory_(memory_of(settings, n, sizeof(Word) + (kHasValue<V> ? sizeof(V) : 0))),
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

  /// Lists the input as one bucket. Before the first pass.
  void begin(cudaStream_t stream) const {
    check(cudaMemsetAsync(states_.data(), 0, states_.size(), stream));
    list_input_(stream, tables_, rules_.classes, n_, settings_.local_keys, settings_.block_keys);
  }
  /// Whether all is sorted locally at once.
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
            .look_ahead = settings_.look_ahead};
  }

  void histogram(const PassOf& pass, cudaStream_t stream) const {
    clear_(stream, tables_, pass.number, pass.digits());
    count_(stream, pass);
  }
  void prefix(const PassOf& pass, cudaStream_t stream) const { sum_(stream, pass, rules_of(pass)); }
  void assign(const PassOf& pass, cudaStream_t stream) const {
    if (rules_of(pass).list) list_(stream, pass, rules_of(pass));
  }
  void move(const PassOf& pass, cudaStream_t stream) const { scatter_(stream, pass); }

  /// What `pass` listed, from where it wrote to `to`; all of the input where is_local().
  void sort_locally(int number, const Buffers& from, const Buffers& to, cudaStream_t stream) const {
    LocalPassOf local{.keys = static_cast<const Word*>(from.keys.data),
                      .values = static_cast<const V*>(from.values.data),
                      .keys_out = static_cast<Word*>(to.keys.data),
                      .values_out = static_cast<V*>(to.values.data),
                      .tables = tables_,
                      .in = is_local() ? order_ : KeyOrder<Word>{},
                      .out = order_,
                      .number = number,
                      .shift = is_local() ? static_cast<int>(8 * sizeof(Word)) : passes_.shift(number),
                      .bits = is_local() ? 0 : passes_.bits(number),
                      .size_class = 0,
                      .only_left = false};
    for (const Launch<LocalPassOf>& launch : ranked_) {
      launch(stream, local);
      ++local.size_class;
    }
    local.only_left = !ranked_.empty();
    local.size_class = 0;
    for (const Launch<LocalPassOf>& launch : block_radix_) {
      launch(stream, local);
      ++local.size_class;
    }
  }

  std::vector<PassStatistics> statistics() const;
  std::vector<std::uint64_t> rows(int pass) const;

 private:
  Rules rules_of(const PassOf& pass) const {
    Rules rules = rules_;
    rules.list = pass.number + 1 < passes_.count();
    return rules;
  }
  void choose_launches();

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
  Rules rules_{};
  Launch<Tables<Offset>, ClassEnds, std::uint64_t, std::uint32_t, std::uint32_t> list_input_;
  Launch<Tables<Offset>, int, std::uint32_t> clear_;
  Launch<PassOf> count_;
  Launch<PassOf, Rules> sum_;
  Launch<PassOf, Rules> list_;
  Launch<PassOf> scatter_;
  std::vector<Launch<LocalPassOf>> ranked_;       ///< by size class
  std::vector<Launch<LocalPassOf>> block_radix_;  ///< by size class
};

template <class Word, class V, class Offset>
void HybridPasses<Word, V, Offset>::choose_launches() {
  constexpr std::uint32_t value_bytes = kHasValue<V> ? sizeof(V) : 0;
  const std::uint64_t blocks = std::max<std::uint64_t>(bounds_.blocks, 1);
  rules_ = {.classes = {}, .local_keys = settings_.local_keys, .merge_keys = settings_.merge_keys, .list = true};
  list_input_ = launch_of(list_input<Offset>, kListThreads, (blocks + kListThreads - 1) / kListThreads);
  clear_ = launch_of(clear_histograms<Offset>, kListThreads, bounds_.buckets);
  sum_ = launch_of(sum_histograms<Word, V, Offset>, kListThreads, blocks);
  list_ = launch_of(list_buckets<Word, V, Offset>, kListThreads, blocks);
  count_ = launch_of(settings_.thread_reduction ? count_digits<true, true, Word, V, Offset>
                                                : count_digits<false, true, Word, V, Offset>,
                     settings_.threads, blocks);
  dispatch<kItems>("items", settings_.items, [&]<int kOfThread>() {
    scatter_ = launch_of(scatter<kOfThread, Word, V, Offset>, settings_.threads, blocks,
                         scatter_bytes(settings_, sizeof(Word), value_bytes));
  });

  const LocalClasses classes = classes_of(settings_, sizeof(Word), value_bytes);
  rules_.classes.count = classes.count;
  for (int c = 0; c < classes.count; ++c) {
    const LocalBlock& block = classes.blocks[static_cast<std::size_t>(c)];
    const std::uint32_t end = std::min(block.keys(), settings_.local_keys);
    rules_.classes.keys[c] = end;
    if (settings_.local_sort == LocalSort::ranked) {
      with_block_for<kRankedBlocks<sizeof(Word), value_bytes>>(block.keys(), [&]<int kThreads, int kOfThread>() {
        ranked_.push_back(launch_of(sort_by_rank<Word, V, Offset, kThreads, kOfThread>, kThreads,
                                    std::max<std::uint64_t>(bounds_.sub_buckets, 1),
                                    ranked_bytes<Word, V, kThreads, kOfThread>()));
      });
    }
    with_block_for<kLocalBlocks<sizeof(Word), value_bytes>>(end, [&]<int kThreads, int kOfThread>() {
      block_radix_.push_back(launch_of(sort_by_block_radix<Word, V, Offset, kThreads, kOfThread>, kThreads,
                                       std::max<std::uint64_t>(bounds_.sub_buckets, 1)));
    });
  }
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

template <class Word, class V, class Offset>
std::vector<std::uint64_t> HybridPasses<Word, V, Offset>::rows(int pass) const {
  const std::uint64_t digits = std::uint64_t{1} << passes_.bits(pass);
  std::vector<Offset> rows(statistics().at(static_cast<std::size_t>(pass)).buckets * digits);
  check(cudaMemcpy(rows.data(), bucket_counts_.data(), rows.size() * sizeof(Offset), cudaMemcpyDeviceToHost));
  return {rows.begin(), rows.end()};
}

/// Sorts arrays apart, or pairs together, which it takes apart first.
template <class Word, class V, class Offset>
class HybridSorter final : public HybridSorterBase {
 public:
  HybridSorter(const Problem& problem, KeyOrder<Word> order, const Settings& settings, const Resources& resources)
      : stream_(stream_of(resources)),
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
  std::vector<std::uint64_t> sub_bucket_starts(int pass) const override { return passes_.rows(pass); }

 private:
  /// Keys and values, n of each, one array behind the other: the wider ones first, so that both are aligned.
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

  /// From `data`, by way of `other`; returns the one of both where the result lies.
  Buffers sort_arrays(const Buffers& data, const Buffers& other, PhaseTimer& phases) const {
    const std::array<Buffers, 2> arrays{data, other};
    const Buffers& result = arrays[static_cast<std::size_t>(passes_.count() % 2)];
    {
      const auto phase = phases.phase("assign", 0);
      passes_.begin(stream_);
    }
    if (passes_.is_local()) {
      const auto phase = phases.phase("local sort", 0);
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
  void run(const Pass<Word, V, Offset>& pass, PhaseTimer& phases) const {
    {
      const auto phase = phases.phase("histogram", pass.number);
      passes_.histogram(pass, stream_);
    }
    {
      const auto phase = phases.phase("prefix", pass.number);
      passes_.prefix(pass, stream_);
    }
    {
      const auto phase = phases.phase("assign", pass.number);
      passes_.assign(pass, stream_);
    }
    const auto phase = phases.phase("scatter", pass.number);
    passes_.move(pass, stream_);
  }

  /// The pairs' own memory is the second set of arrays.
  Buffers sort_pairs(const Buffers& data, const Buffers& apart, PhaseTimer& phases) const {
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
