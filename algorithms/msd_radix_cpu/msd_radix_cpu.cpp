#include "algorithms/msd_radix_cpu/small_sorter.hpp"
#include "algorithms/msd_radix_cpu/sorter.hpp"
#include "algorithms/plugin.hpp"
#include "core/cache_size.hpp"

namespace sortlab {
namespace {

/// Size of the L2 cache in KiB; 1 MiB if unknown.
std::int64_t core_cache_kib() {
  return l2_cache_bytes().value_or(std::int64_t{1} << 20) >> 10;
}

using msd::MsdSorter;
using msd::Plan;
using msd::SmallSorter;

class MsdRadixCpu final : public Algorithm {
 public:
  MsdRadixCpu() { info_.parameters[0].choices = msd::targets().words(); }
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem& problem, const Parameters& parameters,
                                      const Resources&) const override {
    if (problem.layout == Layout::together && !joins(problem)) {
      return "sorts pairs in one array only if keys and values have 32 bits";
    }
    if (parameters.word("in_place") == "yes" && widens(problem)) {
      return "in place, sorts only pairs of 64-bit keys and u64, or of 32-bit keys and u32 in one array";
    }
    return msd::targets().lacking(parameters.word("target"));
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem,
                                 const Resources& resources) const override {
    if (parameter == "target") return msd::targets().widest();
    const std::int64_t l2_kib = core_cache_kib();
    if (parameter == "bucket_kib") return std::clamp<std::int64_t>(l2_kib / 4, 16, 4096);
    // Four lines for each digit, for words and for values beside them.
    if (parameter == "buffer_lines_log2") return std::int64_t{has_values_beside(problem) ? 1 : 2};
    // Pivots partition in place. That is as fast as digits through memory while the last-level cache holds much of the
    // data, and always for 32-bit words. Many threads share that cache, yet need more pairs before digits pay off.
    if (problem.value == ValueType::none) return std::int64_t{byte_size(problem.key) == 4 ? 40 : 25};
    if (problem.layout == Layout::together) return std::int64_t{25};
    return std::int64_t{resources.threads > 4 ? 24 : widens(problem) ? 22 : 23};
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    const msd::Settings settings{
        .bucket_bytes = static_cast<std::size_t>(parameters.integer("bucket_kib")) << 10,
        .lines = 1U << parameters.integer("buffer_lines_log2"),
        .in_place = parameters.word("in_place") == "yes",
        .pivots_below = std::uint64_t{1} << parameters.integer("pivots_below"),
    };
    const std::int64_t target = msd::targets().target_bit(parameters.word("target"));
    return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
      return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
        if constexpr (sizeof(K) <= 8) {
          using Word = msd::WordOf<K, V>;
          constexpr bool values = msd::kValuesBeside<K, V>;
          const msd::Form<Word> form = msd::make_form<K, V>(msd::key_kernels(target), problem.layout);
          const msd::Kernels<Word>& kernels = msd::kernels_for<Word>(target, values);
          if (problem.n < msd::kClocked && resources.threads == 1 && form.direct) {
            return std::make_unique<SmallSorter<Word, values>>(problem.n, kernels);
          }
          const Plan plan{problem.n, sizeof(Word), sizeof(Word) * (values ? 2 : 1), resources.threads, settings};
          return std::make_unique<MsdSorter<Word, values>>(problem.n, form, plan, kernels, resources);
        } else {
          return nullptr;  // never called: not among Info::keys
        }
      });
    });
  }

 private:
  /// True if a key and its value are one word.
  static bool joins(const Problem& problem) { return msd::joins(byte_size(problem.key), byte_size(problem.value)); }
  static bool has_values_beside(const Problem& problem) {
    return msd::has_values_beside(byte_size(problem.key), byte_size(problem.value));
  }
  /// True if words need more room than keys and values, or separate memory.
  static bool widens(const Problem& problem) {
    return problem.value != ValueType::none && problem.layout == Layout::separate &&
           (byte_size(problem.key) != 8 || problem.value != ValueType::u64);
  }

  Info info_{
      .name = "msd_radix_cpu",
      .title = "MSD radix sort into cache-sized buckets, finished by sorting networks",
      .source = "Sortlab's own",
      .family = "radix",
      .origin = Origin::ours,
      .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
      .layouts = {Layout::separate, Layout::together},
      .parallel = true,
      .parameters =
          {{.name = "target", .meaning = "instruction set; auto: the widest here", .standard = std::string{"auto"}},
           {.name = "bucket_kib",
            .meaning = "KiB of a bucket of the first partition, on average; auto: a quarter of the L2 cache",
            .standard = std::string{"auto"},
            .range = {16, 4096}},
           {.name = "buffer_lines_log2",
            .meaning = "log2 of the cache lines in the buffer of a digit, and as many of values that lie beside words; "
                       "auto: four lines in all",
            .standard = std::string{"auto"},
            .range = {0, 4}},
           {.name = "in_place",
            .meaning = "whether scratch memory is limited to a core's cache",
            .standard = std::string{"no"},
            .choices = {"yes", "no"}},
           {.name = "pivots_below",
            .meaning = "log2 of the elements below which pivots partition in place, instead of digits through memory",
            .standard = std::string{"auto"},
            .range = {0, 40}}},
      .phases = {"sortedness check", "partition", "sort"},
  };
};

const Register registered{std::make_unique<MsdRadixCpu>()};

}  // namespace
}  // namespace sortlab
