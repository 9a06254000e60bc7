// The inputs of a block: made afresh for each sample, the same for all sorts of the block, and copied before every
// sort.
#pragma once

#include <optional>
#include <vector>

#include "core/pages.hpp"
#include "harness/cell/case.hpp"
#include "harness/measure/guarded_memory.hpp"
#include "harness/verify/verify.hpp"

namespace sortlab {

/// Memory that is kept from block to block, so that the next block finds it mapped and warm.
struct InputMemory {
  Pages keys;                  ///< the inputs themselves; of records, where they lie in `bytes`
  Pages bytes;                 ///< the records themselves
  GuardedMemory sorted;        ///< keys to sort, layout separate
  GuardedMemory values;        ///< values to sort, layout separate
  GuardedMemory together;      ///< pairs to sort, layout together
  GuardedMemory sorted_bytes;  ///< records to sort
};

class BlockInput {
 public:
  /// Makes input 0 of `c` with `threads` threads, in `memory`, for sorts in `layouts`. Throws std::bad_alloc.
  BlockInput(const Case& c, const std::vector<Layout>& layouts, InputMemory& memory, int threads);

  /// Makes the inputs with these numbers (input_seed.hpp) the current ones. Throws std::bad_alloc.
  void make(const std::vector<std::uint64_t>& numbers);

  /// Fresh copies of the first `count` current inputs in arrays to sort, which begin `offset` bytes into a page. Small
  /// inputs are copied by the calling thread alone, so that they lie in the cache of the core that will sort them;
  /// larger ones by all threads.
  std::vector<Buffers> restore(Layout layout, int count, std::uint64_t offset);

  /// The first place outside the restored arrays that was written to, in words, or nothing.
  std::optional<std::string> damage() const;
  /// True if the array lies in those that restore() gave.
  bool is_ours(const Array& array) const;
  /// Overwrites these arrays' keys, so that nobody finds the input there before it is restored.
  void hide(const Buffers& buffers);
  /// Copies the input to arrays that restore() gave for it.
  void fill(int input, const Buffers& buffers);
  /// True if the current inputs are still what make() made.
  bool is_intact();

  const InputDigest& digest(int input) const { return digests_[static_cast<std::size_t>(input)]; }
  /// The least share of an array of a layout that lies in huge pages, where arrays are large enough and the system
  /// tells.
  std::optional<double> huge_page_share(Layout layout) const;
  std::uint64_t seed(int input) const { return seeds_[static_cast<std::size_t>(input)]; }
  std::optional<double> entropy_bits() const { return entropy_bits_; }
  int threads() const { return threads_; }
  /// Number of current inputs.
  int count() const { return static_cast<int>(numbers_.size()); }
  /// True if every sample gets the same input: a whole file, or records with strings, whose total length depends on the
  /// seed, for which sorts have made room.
  bool is_always_the_same() const;

 private:
  void make_records(const Input& input);
  InputDigest digest_of_input(int input);
  Buffers add_separate();
  Buffers add_together();
  void fill_separate(int input, const Buffers& buffers, int threads);
  void fill_together(int input, const Buffers& buffers, int threads);
  int copying_threads() const;

  Case case_;
  std::vector<Layout> layouts_;
  InputMemory& memory_;
  int threads_;
  std::vector<std::uint64_t> numbers_;
  std::vector<std::uint64_t> seeds_;
  std::vector<InputDigest> digests_;
  std::optional<double> entropy_bits_;
};

}  // namespace sortlab
