// The first partition: words leave for the blocks of their digits, which lie anywhere in scratch memory.
//
// Because a block belongs to no fixed place, nothing has to be counted first: the input is read once. Words are
// gathered in buffers of a few lines a digit, in cache, and whole buffers go to memory by non-temporal stores, which
// spare the reading of what they overwrite.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "algorithms/common/pages.hpp"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sortlab::msd {

inline constexpr std::size_t kLineBytes = 64;

/// Copies whole lines to memory around the cache; both aligned to a line.
inline void stream_lines(void* to, const void* from, std::size_t bytes) {
#if defined(__SSE2__)
  auto* out = static_cast<__m128i*>(to);
  const auto* in = static_cast<const __m128i*>(from);
  for (std::size_t i = 0; i < bytes / sizeof(__m128i); i += 4) {
    const __m128i a = _mm_load_si128(in + i);
    const __m128i b = _mm_load_si128(in + i + 1);
    const __m128i c = _mm_load_si128(in + i + 2);
    const __m128i d = _mm_load_si128(in + i + 3);
    _mm_stream_si128(out + i, a);
    _mm_stream_si128(out + i + 1, b);
    _mm_stream_si128(out + i + 2, c);
    _mm_stream_si128(out + i + 3, d);
  }
#else
  std::memcpy(to, from, bytes);
#endif
}

/// Makes what was streamed visible to threads that meet this one at a barrier.
inline void finish_streaming() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

/// Scratch memory in blocks of elements: words, and values beside them if there are any.
template <class Word>
class Blocks {
 public:
  Blocks(std::uint64_t blocks, std::uint32_t elements, bool values, PageKind pages)
      : elements_(elements),
        count_(blocks),
        memory_(blocks * elements * sizeof(Word) * (values ? 2 : 1), pages),
        to_values_(values ? static_cast<std::ptrdiff_t>(blocks * elements) : 0),
        next_(blocks) {}

  std::uint64_t bytes() const { return memory_.size() + next_.size() * sizeof next_[0]; }
  std::uint32_t elements() const { return elements_; }
  std::ptrdiff_t to_values() const { return to_values_; }
  Word* words() const { return memory_.template data<Word>(); }
  Word* words(std::uint32_t block) const { return words() + std::uint64_t{block} * elements_; }

  void free_all() { taken_ = 0; }
  /// A free block; any thread may ask.
  std::uint32_t take() { return taken_.fetch_add(1, std::memory_order_relaxed); }
  /// The block that holds a word.
  std::uint32_t block_of(const Word* word) const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(word - words()) / elements_);
  }
  /// The block that follows another in its bucket.
  std::uint32_t& next(std::uint32_t block) { return next_[block]; }
  std::uint32_t next(std::uint32_t block) const { return next_[block]; }

 private:
  std::uint32_t elements_;
  std::uint64_t count_;
  Pages memory_;
  std::ptrdiff_t to_values_;
  std::vector<std::uint32_t> next_;
  std::atomic<std::uint32_t> taken_ = 0;
};

/// Where a thread gets its blocks: those that it has emptied itself come first.
template <class Word>
class BlockSource {
 public:
  explicit BlockSource(Blocks<Word>& blocks) : blocks_(&blocks) {}
  Blocks<Word>& blocks() const { return *blocks_; }
  void begin() { emptied_.clear(); }
  void give(std::uint32_t block) { emptied_.push_back(block); }
  std::uint32_t take() {
    if (emptied_.empty()) return blocks_->take();
    const std::uint32_t block = emptied_.back();
    emptied_.pop_back();
    return block;
  }

 private:
  Blocks<Word>* blocks_;
  std::vector<std::uint32_t> emptied_;
};

/// What a thread put into a bucket: a chain of blocks, all full but the last.
struct Chain {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t elements = 0;
};

/// The buffers of one thread, and the chains it makes.
template <class Word, bool values>
class Distributor {
 public:
  static constexpr std::uint32_t line = kLineBytes / sizeof(Word);

  Distributor(std::uint32_t most_digits, std::uint32_t lines, PageKind pages)
      : slots_(line * lines),
        memory_(std::size_t{most_digits} * slots_ * sizeof(Word) * (values ? 2 : 1), pages),
        to_values_(values ? std::ptrdiff_t{most_digits} * slots_ : 0),
        cursors_(most_digits),
        chains_(most_digits) {}

  std::uint64_t bytes() const { return memory_.size() + cursors_.size() * (sizeof cursors_[0] + sizeof chains_[0]); }
  const Chain& chain(std::uint32_t digit) const { return chains_[digit]; }
  const std::vector<Chain>& chains() const { return chains_; }

  void begin(std::uint32_t digits, BlockSource<Word>& source) {
    for (std::uint32_t d = 0; d < digits; ++d) {
      cursors_[d] = d * slots_;
      const std::uint32_t block = source.take();
      chains_[d] = {block, block, 0};
    }
  }

  /// Appends n words (a multiple of nothing) with their digits.
  [[gnu::noinline]] void append(const Word* words, const Word* beside, const std::uint16_t* digits, std::size_t n,
                                BlockSource<Word>& source) {
    std::uint32_t* const cursors = cursors_.data();
    Word* const slots = memory_.template data<Word>();
    const std::uint32_t last_slot = slots_ - 1;
    const auto put = [&](std::size_t i) __attribute__((always_inline)) {
      const std::uint32_t d = digits[i];
      const std::uint32_t slot = cursors[d];
      slots[slot] = words[i];
      if constexpr (values) slots[slot + to_values_] = beside[i];
      cursors[d] = slot + 1;
      if (((slot + 1) & last_slot) == 0) [[unlikely]] {
        cursors[d] = slot - last_slot;
        write_out(d, source);
      }
    };
    std::size_t i = 0;
    for (; i < n / 4 * 4; i += 4) {
      put(i);
      put(i + 1);
      put(i + 2);
      put(i + 3);
    }
    for (; i < n; ++i) put(i);
  }

  /// Writes out what is left in the buffers.
  void end(std::uint32_t digits, BlockSource<Word>& source) {
    for (std::uint32_t d = 0; d < digits; ++d) {
      const std::uint32_t begin = d * slots_;
      const std::uint32_t n = cursors_[d] - begin;
      if (n == 0) continue;
      Word* const to = room(d, source);
      const Word* const from = memory_.template data<Word>() + begin;
      std::memcpy(to, from, n * sizeof(Word));
      if constexpr (values) std::memcpy(to + source.blocks().to_values(), from + to_values_, n * sizeof(Word));
      chains_[d].elements += n;
    }
    finish_streaming();
  }

 private:
  /// Where the next words of a digit go: whole buffers fill a block.
  Word* room(std::uint32_t d, BlockSource<Word>& source) {
    Blocks<Word>& blocks = source.blocks();
    Chain& chain = chains_[d];
    const std::uint32_t in_block = static_cast<std::uint32_t>(chain.elements) & (blocks.elements() - 1);
    if (in_block == 0 && chain.elements != 0) {
      const std::uint32_t block = source.take();
      blocks.next(chain.last) = block;
      chain.last = block;
    }
    return blocks.words(chain.last) + in_block;
  }

  [[gnu::noinline]] void write_out(std::uint32_t d, BlockSource<Word>& source) {
    Word* const to = room(d, source);
    const Word* const from = memory_.template data<Word>() + std::size_t{d} * slots_;
    stream_lines(to, from, slots_ * sizeof(Word));
    if constexpr (values) stream_lines(to + source.blocks().to_values(), from + to_values_, slots_ * sizeof(Word));
    chains_[d].elements += slots_;
  }

  std::uint32_t slots_;  ///< elements of a buffer, a power of two
  Pages memory_;
  std::ptrdiff_t to_values_;
  std::vector<std::uint32_t> cursors_;  ///< of each digit, the slot of its next word
  std::vector<Chain> chains_;
};

}  // namespace sortlab::msd
