#include "harness/measure/block_input.hpp"

#include <cstring>

#include "core/pair_bytes.hpp"
#include "core/parallel.hpp"
#include "generators/record_distribution.hpp"
#include "harness/cell/input_size.hpp"
#include "harness/cell/problem.hpp"

namespace sortlab {
namespace {

/// Bytes below which one core restores the input. If several cores restored a small input, it would lie in their L2
/// caches, and the sort would fetch it from there, faster or slower by chance.
constexpr std::uint64_t kSmallInput = std::uint64_t{32} << 20;
constexpr std::uint64_t kGrain = 4096;  ///< elements that a thread takes at a time

void grow(Pages& pages, std::uint64_t bytes) {
  if (pages.size() >= bytes) return;
  pages = Pages{};  // the old and the new array together might not fit
  pages = Pages{bytes, PageKind::huge};
}

/// Copies by several threads, in contiguous parts.
void copy(const Pages& from, const Pages& to, std::uint64_t bytes, int threads) {
  in_parallel(bytes, threads, 16 * kGrain, [&](std::uint64_t begin, std::uint64_t end) {
    std::memcpy(to.data() + begin, from.data() + begin, end - begin);
  });
}

}  // namespace

BlockInput::BlockInput(const Case& c, const std::vector<Layout>& layouts, InputMemory& memory, int threads)
    : case_(c), memory_(memory), threads_(threads) {
  const std::uint64_t key_bytes = c.n * byte_size(c.key);
  const std::uint64_t value_bytes = c.n * byte_size(c.value);
  grow(memory_.keys, key_bytes);
  for (const Layout layout : layouts) {
    if (layout == Layout::separate) {
      grow(memory_.sorted, key_bytes);
      grow(memory_.values, value_bytes);
    } else {
      grow(memory_.together, c.n * pair_bytes(c.key, c.value));
    }
  }
  const Input input = case_input(c);
  if (c.key == KeyType::string) {
    make_records(input);
  } else {
    c.distribution.distribution->fill(input, memory_.keys.data(), threads_);
  }
  entropy_bits_ = c.distribution.distribution->entropy_bits(input);
  Problem problem = case_problem(c);
  problem.layout = layouts.front();
  digest_ = digest_input(restore(problem.layout), problem, threads_);
}

void BlockInput::make_records(const Input& input) {
  const std::uint64_t bytes = input_bytes(case_);
  grow(memory_.bytes, bytes);
  grow(memory_.sorted_bytes, bytes);
  dynamic_cast<const RecordDistribution&>(*case_.distribution.distribution)
      .fill_records(input, memory_.keys.data<Record>(), memory_.bytes.data<std::uint8_t>(), threads_);
}

Buffers BlockInput::restore(Layout layout) {
  const std::uint64_t n = case_.n;
  const int threads = input_bytes(case_) < kSmallInput ? 1 : threads_;
  if (layout == Layout::separate) {
    copy(memory_.keys, memory_.sorted, n * byte_size(case_.key), threads);
    Buffers buffers{.keys = {.data = memory_.sorted.data(), .count = n}, .values = {}};
    if (case_.key == KeyType::string) {
      buffers.bytes = {.data = memory_.sorted_bytes.data(), .count = input_bytes(case_)};
      copy(memory_.bytes, memory_.sorted_bytes, buffers.bytes.count, threads);
    }
    if (case_.value != ValueType::none) {
      fill_values(case_.value, n, memory_.values.data(), threads);
      buffers.values = {.data = memory_.values.data(), .count = n};
    }
    return buffers;
  }
  with_key_type(case_.key, [&]<class K>() {
    with_value_type(case_.value, [&]<class V>() {
      if constexpr (!std::is_same_v<V, NoValue>) {
        const K* keys = memory_.keys.data<K>();
        auto* pairs = memory_.together.data<Pair<K, V>>();
        in_parallel(n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
          for (std::uint64_t i = begin; i < end; ++i) pairs[i] = {static_cast<V>(i), keys[i]};
        });
      }
    });
  });
  return {.keys = {.data = memory_.together.data(), .count = n}, .values = {}};
}

}  // namespace sortlab
