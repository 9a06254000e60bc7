#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "algorithms/numpy_sort/process.hpp"
#include "algorithms/plugin.hpp"

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
    case KeyType::u128: break;
  }
  return {};  // never called: not among Info::keys
}

class Ready final : public Sorter {
 public:
  Ready(const Problem& problem, const std::string& kind, const Resources& resources)
      : bytes_(problem.n * size_of(problem.key)) {
    if (bytes_ != 0) process_.emplace(numpy::Request{numpy_dtype(problem.key), kind, bytes_, resources.cpus});
  }

  std::uint64_t scratch_bytes() const override { return bytes_; }

  /// Copies the keys to the Python process. Only NumPy's time counts.
  Buffers sort(Buffers data, PhaseTimer&) override {
    if (!process_) return data;
    std::memcpy(process_->shared(), data.keys.data, bytes_);
    seconds_ = process_->sort();
    data.keys.data = process_->shared();
    return data;
  }
  std::optional<double> own_seconds() const override { return seconds_; }

 private:
  std::size_t bytes_;
  std::optional<numpy::Process> process_{};
  double seconds_ = 0;
};

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
    return std::make_unique<Ready>(problem, parameters.word("kind"), resources);
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
