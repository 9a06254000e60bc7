// The first partition: words move to blocks of their digits, which lie anywhere in scratch memory.
//
// Since blocks have no fixed place, no histogram is needed, and the input is read once. Words are gathered in cache, in
// buffers of a few lines for each digit. Full buffers go to memory by non-temporal stores, which do not read the lines
// that they overwrite.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>
#include <vector>

#include "algorithms/msd_radix_cpu/kernels.hpp"
#include "algorithms/msd_radix_cpu/plan.hpp"
#include "core/loop_mark.hpp"
#include "core/pages.hpp"

namespace sortlab::msd {

/// One thread's elements of a bucket: a chain of blocks, all full but the last.
struct Chain {
  std::uint32_t first = 0;
  std::uint32_t last = 0;
  std::uint64_t elements = 0;
};

/// Consecutive words of a bucket. Their values lie a fixed distance further on.
template <class Word>
struct Piece {
  const Word* words;
  std::size_t n;
};

/// Scratch memory, divided into blocks of elements: words, and values beside them if there are any.
template <class Word>
class Blocks {
 public:
  Blocks(std::uint64_t blocks, std::uint32_t elements, bool values, PageKind pages)
      : elements_(elements),
        memory_(blocks * elements * sizeof(Word) * (values ? 2 : 1), pages),
        to_values_(values ? static_cast<std::ptrdiff_t>(blocks * elements) : 0),
        next_(blocks) {}

  std::uint64_t bytes() const { return memory_.size() + next_.size() * sizeof next_[0]; }
  std::uint32_t elements() const { return elements_; }
  std::ptrdiff_t to_values() const { return to_values_; }
  Word* words() const { return memory_.template data<Word>(); }
  std::uint64_t first(std::uint32_t block) const { return std::uint64_t{block} * elements_; }
  Word* words(std::uint32_t block) const { return words() + first(block); }

  void free_all() { taken_ = 0; }
  /// Takes kTakenAtOnce free blocks and returns the first. Any thread may call it.
  std::uint32_t take() { return taken_.fetch_add(kTakenAtOnce, std::memory_order_relaxed); }
  /// The block that holds a word.
  std::uint32_t containing_block(const Word* word) const {
    return static_cast<std::uint32_t>(static_cast<std::uint64_t>(word - words()) / elements_);
  }
  /// The block that follows another in its bucket.
  std::uint32_t& next(std::uint32_t block) { return next_[block]; }
  std::uint32_t next(std::uint32_t block) const { return next_[block]; }

  /// True if a chain ends with an empty block.
  bool ends_empty(const Chain& chain) const { return chain.elements % elements_ == 0; }

  /// Appends the pieces of a chain.
  void add_pieces(const Chain& chain, std::vector<Piece<Word>>& pieces) const {
    std::uint32_t block = chain.first;
    for (std::uint64_t left = chain.elements; left > 0; block = next(block)) {
      const std::size_t n = std::min<std::uint64_t>(left, elements_);
      pieces.push_back({words(block), n});
      left -= n;
    }
  }

 private:
  std::uint32_t elements_;
  Pages memory_;
  std::ptrdiff_t to_values_;
  std::vector<std::uint32_t> next_;
  std::atomic<std::uint32_t> taken_ = 0;
};

/// A thread's source of free blocks: first the blocks that it has emptied itself, then blocks from the pool.
template <class Word>
class BlockSource {
 public:
  explicit BlockSource(Blocks<Word>& blocks) : blocks_(&blocks) {}
  Blocks<Word>& blocks() const { return *blocks_; }
  void begin() {
    emptied_.clear();
    taken_ = kTakenAtOnce;
  }
  void give(std::uint32_t block) { emptied_.push_back(block); }
  std::uint32_t take() {
    if (emptied_.empty()) {
      if (taken_ == kTakenAtOnce) {
        first_ = blocks_->take();
        taken_ = 0;
      }
      return first_ + taken_++;
    }
    const std::uint32_t block = emptied_.back();
    emptied_.pop_back();
    return block;
  }

 private:
  Blocks<Word>* blocks_;
  std::vector<std::uint32_t> emptied_;
  std::uint32_t first_ = 0;
  std::uint32_t taken_ = kTakenAtOnce;  ///< number of blocks used from `first_` on
};

/// The buffers of one thread, and the chains that it builds.
template <class Word, bool values>
class Distributor {
 public:
  static constexpr std::uint32_t line = kLineBytes / sizeof(Word);

  Distributor(std::uint32_t most_digits, std::uint32_t lines, BlockSource<Word>& source, const Kernels<Word>& kernels,
              PageKind pages)
      : kernels_(&kernels),
        source_(&source),
        slots_(line * lines),
        memory_(std::size_t{most_digits} * slots_ * sizeof(Word) * (values ? 2 : 1), pages),
        cursors_(most_digits),
        places_(most_digits),
        chains_(most_digits) {}

  std::uint64_t bytes() const {
    return memory_.size() + cursors_.size() * (sizeof cursors_[0] + sizeof places_[0] + sizeof chains_[0]);
  }
  const Chain& chain(std::uint32_t digit) const { return chains_[digit]; }
  const std::vector<Chain>& chains() const { return chains_; }

  void begin(std::uint32_t digits) {
    const Blocks<Word>& blocks = source_->blocks();
    buffers_ = {
        .buffers = memory_.template data<Word>(),
        .buffers_to_values = values ? static_cast<std::ptrdiff_t>(cursors_.size() * slots_) : 0,
        .slots = slots_,
        .cursors = cursors_.data(),
        .blocks = blocks.words(),
        .blocks_to_values = blocks.to_values(),
        .block_elements = blocks.elements(),
        .places = places_.data(),
        .owner = this,
        .block_full = [](void* self, std::uint32_t digit) { static_cast<Distributor*>(self)->lengthen(digit); }};
    for (std::uint32_t d = 0; d < digits; ++d) {
      cursors_[d] = d * slots_;
      const std::uint32_t block = source_->take();
      chains_[d] = {block, block, 0};
      places_[d] = blocks.first(block);
    }
  }

  /// Appends n words, and the values beside them, by their digits.
  void append(const Word* words, const Word* beside, const std::uint16_t* digits, std::size_t n) {
    kernels_->append(buffers_, words, beside, digits, n);
  }

  /// Flushes the buffers.
  void end(std::uint32_t digits) {
    for (std::uint32_t d = 0; d < digits; ++d) {
      const std::uint32_t begin = d * slots_;
      const std::uint32_t n = cursors_[d] - begin;
      Word* const to = buffers_.blocks + places_[d];
      const Word* const from = buffers_.buffers + begin;
      std::memcpy(to, from, n * sizeof(Word));
      if constexpr (values) {
        std::memcpy(to + buffers_.blocks_to_values, from + buffers_.buffers_to_values, n * sizeof(Word));
      }
      chains_[d].elements += (places_[d] & (buffers_.block_elements - 1)) + n;
    }
    finish_streaming();
  }

 private:
  void lengthen(std::uint32_t digit) {
    SORTLAB_ONCE("msd.lengthen", 1, sizeof(Word), values);
    Blocks<Word>& blocks = source_->blocks();
    Chain& chain = chains_[digit];
    const std::uint32_t block = source_->take();
    blocks.next(chain.last) = block;
    chain.last = block;
    chain.elements += blocks.elements();
    places_[digit] = blocks.first(block);
  }

  const Kernels<Word>* kernels_;
  BlockSource<Word>* source_;
  std::uint32_t slots_;  ///< elements of a buffer, a power of two
  Pages memory_;
  std::vector<std::uint32_t> cursors_;
  std::vector<std::uint64_t> places_;
  std::vector<Chain> chains_;
  DigitBuffers<Word> buffers_;
};

}  // namespace sortlab::msd
