#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "algorithms/common/adapters/process_sort.hpp"
#include "algorithms/numpy_sort/process.hpp"

namespace sortlab {
namespace {

std::string numpy_dtype(KeyType key) {
  switch (key) {
    case KeyType::u32: return "uint32";
    case KeyType::u64: return "uint64";
    case KeyType::i32: return "int32";
    case KeyType::i64: return "int64";
    case KeyType::f32: return "float32";
    case KeyType::f64: return "float64";
    case KeyType::u128:
    case KeyType::string: break;
  }
  return {};  // never called: not among Info::keys
}

class NumpySort final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> unavailable() const override {
    for (const char* file : {PYTHON, NUMPY_FILE}) {
      if (access(file, R_OK) != 0) return fmt::format("there is no {} any more; configure again", file);
    }
    return std::nullopt;
  }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    if (!is_float(problem.key) || !problem.needs_total_order) return std::nullopt;
    return "orders every NaN last, and treats -0 and +0 as equal";
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    return std::make_unique<ProcessSorter<numpy::Process>>(problem, [&](std::size_t bytes) {
      return std::make_unique<numpy::Process>(
          numpy::Request{numpy_dtype(problem.key), parameters.word("kind"), bytes, resources.cpus});
    });
  }

 private:
  Info info_{
      .name = "numpy_sort",
      .title = "NumPy's sort, in a Python process",
      .source = "NumPy, ndarray.sort",
      .family = "comparison",
      .version = "NumPy " SORTLAB_VERSION,
      .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
      .values = {ValueType::none},
      .times_itself = true,
      .parameters = {{.name = "kind",
                      .meaning = "quicksort: vectorised where NumPy has it for the processor, else introsort; stable: "
                                 "radix sort for 16 bits and less, else timsort",
                      .standard = std::string{"quicksort"},
                      .choices = {"quicksort", "stable"}}},
  };
};

const Register registered{std::make_unique<NumpySort>()};

}  // namespace
}  // namespace sortlab
