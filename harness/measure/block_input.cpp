#include "harness/measure/block_input.hpp"

#include <algorithm>
#include <cstring>

#include "core/pair_bytes.hpp"
#include "core/parallel.hpp"
#include "generators/record_distribution.hpp"
#include "harness/cell/input_seed.hpp"
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

/// Copies in contiguous parts, by several threads.
void copy(const std::byte* from, std::byte* to, std::uint64_t bytes, int threads) {
  in_parallel(bytes, threads, 16 * kGrain,
              [&](std::uint64_t begin, std::uint64_t end) { std::memcpy(to + begin, from + begin, end - begin); });
}

}  // namespace

BlockInput::BlockInput(const Case& c, const std::vector<Layout>& layouts, InputMemory& memory, int threads)
    : case_(c),
      layouts_(layouts),
      memory_(memory),
      threads_(threads),
      entropy_bits_(c.distribution.distribution->entropy_bits(case_input(c))) {
  make({0});
}

bool BlockInput::is_always_the_same() const {
  return case_.key == KeyType::string || case_.distribution.distribution->has_one_input(case_input(case_));
}

void BlockInput::make(const std::vector<std::uint64_t>& numbers) {
  const std::vector<std::uint64_t> wanted = is_always_the_same() ? std::vector<std::uint64_t>{0} : numbers;
  if (wanted == numbers_) return;
  const std::uint64_t count = wanted.size();
  const std::uint64_t key_bytes = case_.n * byte_size(case_.key);
  grow(memory_.keys, count * key_bytes);
  for (const Layout layout : layouts_) {
    if (layout == Layout::separate) {
      memory_.sorted.reserve(count * key_bytes, static_cast<int>(count));
      memory_.values.reserve(count * case_.n * byte_size(case_.value), static_cast<int>(count));
    } else {
      memory_.together.reserve(count * case_.n * pair_bytes(case_.key, case_.value), static_cast<int>(count));
    }
  }
  numbers_ = wanted;
  seeds_.clear();
  digests_.clear();
  for (std::size_t i = 0; i < count; ++i) {
    seeds_.push_back(input_seed(case_.seed, wanted[i]));
    Input input = case_input(case_);
    input.seed = seeds_.back();
    if (case_.key == KeyType::string) {
      make_records(input);
    } else {
      case_.distribution.distribution->fill(input, memory_.keys.data() + i * key_bytes, threads_);
    }
    digests_.push_back(digest_of_input(static_cast<int>(i)));
  }
}

void BlockInput::make_records(const Input& input) {
  const std::uint64_t bytes = input_bytes(case_);
  grow(memory_.bytes, bytes);
  memory_.sorted_bytes.reserve(bytes);
  dynamic_cast<const RecordDistribution&>(*case_.distribution.distribution)
      .fill_records(input, memory_.keys.data<Record>(), memory_.bytes.data<std::uint8_t>(), threads_);
}

int BlockInput::copying_threads() const {
  return input_bytes(case_) < kSmallInput ? 1 : threads_;
}

InputDigest BlockInput::digest_of_input(int input) {
  Problem problem = case_problem(case_);
  problem.layout = layouts_.front();
  memory_.sorted.clear(0), memory_.values.clear(0), memory_.together.clear(0), memory_.sorted_bytes.clear(0);
  const Buffers buffers = problem.layout == Layout::separate ? add_separate() : add_together();
  fill(input, buffers);
  return digest_input(buffers, problem, threads_);
}

std::vector<Buffers> BlockInput::restore(Layout layout, int count, std::uint64_t offset) {
  constexpr std::uint64_t apart = 1088;  // bytes: keys and values at one offset would compete for the same cache sets
  for (GuardedMemory* memory : {&memory_.sorted, &memory_.values, &memory_.together, &memory_.sorted_bytes}) {
    memory->clear(offset);
    offset += apart;
  }
  std::vector<Buffers> buffers;
  for (int i = 0; i < count; ++i) {
    buffers.push_back(layout == Layout::separate ? add_separate() : add_together());
    fill(i, buffers.back());
  }
  for (GuardedMemory* memory : {&memory_.sorted, &memory_.values, &memory_.together, &memory_.sorted_bytes}) {
    memory->paint();
  }
  return buffers;
}

void BlockInput::hide(const Buffers& buffers) {
  const bool separate = memory_.sorted.holds(buffers.keys.data);
  const std::uint64_t width = separate ? byte_size(case_.key) : pair_bytes(case_.key, case_.value);
  if (case_.n > 0) std::memset(buffers.keys.data, 0x5A, case_.n * width);
}

void BlockInput::fill(int input, const Buffers& buffers) {
  if (memory_.together.holds(buffers.keys.data)) {
    fill_together(input, buffers, copying_threads());
  } else {
    fill_separate(input, buffers, copying_threads());
  }
}

Buffers BlockInput::add_separate() {
  const std::uint64_t n = case_.n;
  Buffers buffers{.keys = {.data = memory_.sorted.add(n * byte_size(case_.key)), .count = n}, .values = {}};
  if (case_.key == KeyType::string) {
    const std::uint64_t bytes = input_bytes(case_);
    buffers.bytes = {.data = memory_.sorted_bytes.add(bytes), .count = bytes};
  }
  if (case_.value != ValueType::none) {
    buffers.values = {.data = memory_.values.add(n * byte_size(case_.value)), .count = n};
  }
  return buffers;
}

Buffers BlockInput::add_together() {
  return {.keys = {.data = memory_.together.add(case_.n * pair_bytes(case_.key, case_.value)), .count = case_.n},
          .values = {}};
}

void BlockInput::fill_separate(int input, const Buffers& buffers, int threads) {
  const std::uint64_t key_bytes = case_.n * byte_size(case_.key);
  copy(memory_.keys.data() + static_cast<std::uint64_t>(input) * key_bytes, static_cast<std::byte*>(buffers.keys.data),
       key_bytes, threads);
  if (case_.key == KeyType::string) {
    copy(memory_.bytes.data(), static_cast<std::byte*>(buffers.bytes.data), buffers.bytes.count, threads);
  }
  if (case_.value != ValueType::none) fill_values(case_.value, case_.n, buffers.values.data, threads);
}

void BlockInput::fill_together(int input, const Buffers& buffers, int threads) {
  const std::uint64_t n = case_.n;
  with_key_type(case_.key, [&]<class K>() {
    with_value_type(case_.value, [&]<class V>() {
      if constexpr (!std::is_same_v<V, NoValue>) {
        const K* const keys = memory_.keys.data<K>() + static_cast<std::uint64_t>(input) * n;
        auto* const pairs = static_cast<Pair<K, V>*>(buffers.keys.data);
        in_parallel(n, threads, kGrain, [&](std::uint64_t begin, std::uint64_t end) {
          for (std::uint64_t i = begin; i < end; ++i) pairs[i] = {static_cast<V>(i), keys[i]};
        });
      }
    });
  });
}

std::optional<std::string> BlockInput::damage() const {
  const auto said = [](const GuardedMemory& memory, const char* what) -> std::optional<std::string> {
    if (const auto found = memory.damage()) return *found + " of " + what;
    return std::nullopt;
  };
  if (auto found = said(memory_.sorted, "keys")) return found;
  if (auto found = said(memory_.values, "values")) return found;
  if (auto found = said(memory_.together, "pairs")) return found;
  return said(memory_.sorted_bytes, "records");
}

bool BlockInput::is_ours(const Array& array) const {
  return memory_.sorted.holds(array.data) || memory_.together.holds(array.data);
}

std::optional<double> BlockInput::huge_page_share(Layout layout) const {
  std::vector<const GuardedMemory*> arrays{&memory_.sorted};
  if (layout == Layout::together) arrays = {&memory_.together};
  if (layout == Layout::separate && case_.value != ValueType::none) arrays.push_back(&memory_.values);
  if (case_.key == KeyType::string) arrays.push_back(&memory_.sorted_bytes);
  std::optional<double> least;
  for (const GuardedMemory* array : arrays) {
    const std::optional<double> share = array->huge_page_share();
    if (share) least = std::min(least.value_or(1), *share);
  }
  return least;
}

bool BlockInput::is_intact() {
  for (int i = 0; i < static_cast<int>(digests_.size()); ++i) {
    const InputDigest now = digest_of_input(i);
    if (now.keys != digest(i).keys || now.pairs != digest(i).pairs) return false;
  }
  return true;
}

}  // namespace sortlab
