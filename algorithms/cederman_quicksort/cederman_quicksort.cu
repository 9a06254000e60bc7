// Host side of the quicksort: keeps the sequences, chooses their pivots, and assigns blocks to them, level by level.
#include <stdexcept>
#include <vector>

#include "algorithms/cederman_quicksort/quicksort.cuh"
#include "algorithms/common/cuda/device_buffers.hpp"
#include "algorithms/common/cuda/pinned_memory.hpp"

namespace sortlab {
namespace {

using namespace gpu_quicksort;

/// A sequence on the host, with the pivot of its next partition.
template <class Word>
struct Part {
  std::uint64_t begin;
  std::uint64_t end;
  Word pivot;
  std::uint32_t side;

  std::uint64_t length() const { return end - begin; }
};

template <class Word, class V>
class QuickSorter final : public Sorter {
 public:
  QuickSorter(const Problem& problem, KeyOrder<Word> order, const Shape& shape, const Resources& resources)
      : stream_(cuda_stream(resources)),
        order_(order),
        shape_(shape),
        second_(problem),
        sequences_(max_sequences(shape)),
        sequence_of_block_(max_blocks(shape)),
        totals_(max_sequences(shape)),
        rests_(max_sequences(shape)),
        three_keys_(3),
        device_sequences_(sequences_.bytes()),
        device_sequence_of_block_(sequence_of_block_.bytes()),
        device_totals_(totals_.bytes()),
        device_rests_(rests_.bytes()),
        parts_(max_blocks(shape) * sizeof(Parts<Word>)),
        places_(max_blocks(shape) * shape.threads * sizeof(Places)) {}

  std::uint64_t scratch_bytes() const override {
    return second_.bytes() + device_sequences_.size() + device_sequence_of_block_.size() + device_totals_.size() +
           device_rests_.size() + parts_.size() + places_.size();
  }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    const std::uint64_t n = data.keys.count;
    if (n == 0) return data;
    const Buffers& second = second_.buffers();
    const Arrays<Word, V> arrays{.keys = {static_cast<Word*>(data.keys.data), static_cast<Word*>(second.keys.data)},
                                 .values = {static_cast<V*>(data.values.data), static_cast<V*>(second.values.data)}};
    std::vector<Part<Word>> parts = partition(arrays, n, phases);

    const auto phase = phases.phase("sort sequences");
    // Longest first, so that no block starts a long sequence after the others have finished.
    std::ranges::sort(parts, std::ranges::greater{}, &Part<Word>::length);
    for (std::size_t i = 0; i < parts.size(); ++i) rests_[i] = {parts[i].begin, parts[i].end, parts[i].side};
    copy(device_rests_, rests_.data(), parts.size() * sizeof(Rest));
    if (!parts.empty()) {
      sort_sequences(arrays, device_rests_.template data<Rest>(), static_cast<std::uint32_t>(parts.size()), order_,
                     shape_, stream_);
    }
    return data;
  }

 private:
  /// Phase one. Returns the sequences that remain, none of them empty.
  std::vector<Part<Word>> partition(const Arrays<Word, V>& arrays, std::uint64_t n, PhaseTimer& phases) {
    const std::uint64_t shortest = shortest_partitioned(n, shape_);
    std::vector<Part<Word>> parts{{.begin = 0, .end = n, .pivot = 0, .side = 0}};
    if (n < shortest) return parts;
    {
      const auto phase = phases.phase("first pivot");
      parts[0].pivot = first_pivot(arrays.keys[0], n);
    }
    std::vector<Part<Word>> partitioned, others;
    std::uint32_t side = 0;
    for (int number = 0;; ++number, side = 1 - side) {
      Level<Word> level{};
      {
        const auto phase = phases.phase("host", number);
        if (number > 0) parts = parted(partitioned, std::move(others), side);
        if (parts.size() >= wanted_sequences(shape_)) return parts;
        partitioned.clear();
        others.clear();
        std::uint64_t total = 0;
        for (const Part<Word>& part : parts) {
          (part.length() < shortest ? others : partitioned).push_back(part);
          if (part.length() >= shortest) total += part.length();
        }
        if (partitioned.empty()) return others;
        level = make_level(partitioned, total, side);
      }
      run(arrays, level, number, phases);
    }
  }

  /// Waits for the level that partitioned sequences into `side`, and appends its results to the others.
  std::vector<Part<Word>> parted(const std::vector<Part<Word>>& partitioned, std::vector<Part<Word>> others,
                                 std::uint32_t side) {
    check(cudaMemcpyAsync(totals_.data(), device_totals_.data(), partitioned.size() * sizeof(Parts<Word>),
                          cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    for (std::size_t i = 0; i < partitioned.size(); ++i) {
      const Part<Word>& part = partitioned[i];
      const Parts<Word>& found = totals_[i];
      // All keys to the left are at least the minimum, and less than the pivot; likewise to the right. So the distance
      // of the bounds halves with each level, and the recursion ends.
      const Word left = midpoint(found.smallest, std::min(part.pivot, found.largest));
      const Word right = midpoint(std::max(part.pivot, found.smallest), found.largest);
      if (found.less > 0) others.push_back({part.begin, part.begin + found.less, left, side});
      if (found.greater > 0) others.push_back({part.end - found.greater, part.end, right, side});
    }
    return others;
  }

  Word first_pivot(const Word* keys, std::uint64_t n) {
    const std::uint64_t places[]{0, n / 2, n - 1};
    for (std::size_t i = 0; i < 3; ++i) {
      check(cudaMemcpyAsync(&three_keys_[i], keys + places[i], sizeof(Word), cudaMemcpyDeviceToHost, stream_));
    }
    check(cudaStreamSynchronize(stream_));
    Word smallest = order_.ordered(three_keys_[0]), largest = smallest;
    for (std::size_t i = 1; i < 3; ++i) {
      smallest = std::min(smallest, order_.ordered(three_keys_[i]));
      largest = std::max(largest, order_.ordered(three_keys_[i]));
    }
    return midpoint(smallest, largest);
  }

  /// Assigns blocks to the sequences, and copies both to the device.
  Level<Word> make_level(const std::vector<Part<Word>>& parts, std::uint64_t total, std::uint32_t side) {
    const std::uint64_t share = block_share(total, shape_);
    std::uint32_t blocks = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
      const std::uint64_t own = blocks_of_sequence(parts[i].length(), share);
      if (i >= sequences_.size() || blocks + own > sequence_of_block_.size()) {
        throw std::logic_error("cederman_quicksort: more blocks than were planned for");
      }
      sequences_[i] = {.begin = parts[i].begin,
                       .end = parts[i].end,
                       .share = share,
                       .first_block = blocks,
                       .blocks = static_cast<std::uint32_t>(own),
                       .pivot = parts[i].pivot};
      for (std::uint64_t block = 0; block < own; ++block) {
        sequence_of_block_[blocks++] = static_cast<std::uint32_t>(i);
      }
    }
    copy(device_sequences_, sequences_.data(), parts.size() * sizeof(Sequence<Word>));
    copy(device_sequence_of_block_, sequence_of_block_.data(), blocks * sizeof(std::uint32_t));
    return {.sequences = device_sequences_.template data<Sequence<Word>>(),
            .sequence_of_block = device_sequence_of_block_.template data<std::uint32_t>(),
            .parts = parts_.template data<Parts<Word>>(),
            .totals = device_totals_.template data<Parts<Word>>(),
            .places = places_.template data<Places>(),
            .order = order_,
            .count = static_cast<std::uint32_t>(parts.size()),
            .blocks = blocks,
            .threads = shape_.threads,
            .side = side};
  }

  void run(const Arrays<Word, V>& arrays, const Level<Word>& level, int number, PhaseTimer& phases) {
    {
      const auto phase = phases.phase("count", number);
      count_parts(static_cast<const Word*>(arrays.keys[level.side]), level, stream_);
    }
    {
      const auto phase = phases.phase("scan", number);
      scan_parts(level, stream_);
    }
    {
      const auto phase = phases.phase("scatter", number);
      scatter_parts(arrays, level, stream_);
    }
    const auto phase = phases.phase("fill", number);
    fill_gaps(arrays, level, stream_);
  }

  void copy(const DeviceMemory& to, const void* from, std::size_t bytes) {
    check(cudaMemcpyAsync(to.data(), from, bytes, cudaMemcpyHostToDevice, stream_));
  }

  cudaStream_t stream_;
  KeyOrder<Word> order_;
  Shape shape_;
  DeviceBuffers second_;
  PinnedArray<Sequence<Word>> sequences_;
  PinnedArray<std::uint32_t> sequence_of_block_;
  PinnedArray<Parts<Word>> totals_;
  PinnedArray<Rest> rests_;
  PinnedArray<Word> three_keys_;
  DeviceMemory device_sequences_;
  DeviceMemory device_sequence_of_block_;
  DeviceMemory device_totals_;
  DeviceMemory device_rests_;
  DeviceMemory parts_;
  DeviceMemory places_;
};

}  // namespace

std::unique_ptr<Sorter> make_cederman_quicksort(const Problem& problem, const Parameters& parameters,
                                                const Resources& resources) {
  const Shape shape =
      make_shape(parameters.integer("threads"), parameters.integer("blocks"), parameters.integer("small_sort"));
  return with_key_order(problem.key, [&]<class Word>(KeyOrder<Word> order) {
    return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
      return std::make_unique<QuickSorter<Word, V>>(problem, order, shape, resources);
    });
  });
}

}  // namespace sortlab
