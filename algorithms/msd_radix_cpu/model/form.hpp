// Form in which msd_radix_cpu sorts a workload, for its models: the words of keys and values, and the sort's own plan.
#pragma once

#include "algorithms/msd_radix_cpu/plan.hpp"
#include "core/bad_input.hpp"
#include "models/model.hpp"

namespace sortlab::msd {

/// Words of keys and values. Pairs in one array count as keys of their whole width.
struct ModelledForm {
  explicit ModelledForm(const Workload& workload)
      : key(byte_size(workload.key)),
        value(byte_size(workload.value)),
        joined(joins(byte_size(workload.key), byte_size(workload.value))),
        beside(has_values_beside(byte_size(workload.key), byte_size(workload.value))),
        word(static_cast<double>(word_bytes(byte_size(workload.key), byte_size(workload.value)))),
        element(word * (beside ? 2 : 1)) {
    if (key > 8) throw BadInput("model msd_radix_cpu: key: the sort takes keys of 32 and 64 bits");
    if (joined && workload.together) {
      key = word;
      value = 0;
    }
    const bool is_unsigned = workload.key == KeyType::u32 || workload.key == KeyType::u64;
    direct = is_unsigned && key == word && (value == 0 || value == word);
    is_word = is_unsigned && key == word;
    is_pair = joined && key == word;
    kind = is_float(workload.key) ? 2 : is_unsigned ? 0 : 1;
    checked = is_pair ? 2 : is_float(workload.key) ? 1 : 0;
  }

  /// The form of 64-bit words without values that are sorted as 32-bit words.
  ModelledForm narrowed() const {
    ModelledForm narrow = *this;
    narrow.key = narrow.word = narrow.element = 4;
    return narrow;
  }

  double key, value;     ///< bytes
  bool joined, beside;   ///< values lie in the words' lower halves, or apart
  double word, element;  ///< bytes, in scratch memory
  bool direct;           ///< keys and values are words already
  bool is_word;          ///< keys are words already
  bool is_pair;          ///< pairs that lie together, each in one word
  /// Kind of keys whose order is checked: unsigned (0), signed (1) or floats (2).
  double kind;
  double checked;  ///< the same of keys that are no words: integers (0), floats (1) or pairs (2)
};

inline Plan make_plan(const Workload& workload, const ModelledForm& form) {
  const Parameters& parameters = workload.parameters;
  const Settings settings{.bucket_bytes = static_cast<std::size_t>(parameters.integer("bucket_kib")) << 10,
                          .lines = 1U << parameters.integer("buffer_lines_log2"),
                          .in_place = parameters.word("in_place") == "yes",
                          .pivots_below = std::uint64_t{1} << parameters.integer("pivots_below")};
  return {workload.n, static_cast<std::size_t>(form.word), static_cast<std::size_t>(form.element), workload.threads,
          settings};
}

}  // namespace sortlab::msd
