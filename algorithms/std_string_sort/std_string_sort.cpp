#include <fmt/format.h>

#include <algorithm>

#include "algorithms/common/adapters/string_sort.hpp"

namespace sortlab {
namespace {

struct Introsort {
  void operator()(std::span<Record> records, const std::uint8_t* bytes) const {
    std::sort(records.begin(), records.end(), KeyBefore{bytes});
  }
};

struct StableSort {
  void operator()(std::span<Record> records, const std::uint8_t* bytes) const {
    std::stable_sort(records.begin(), records.end(), KeyBefore{bytes});
  }
};

class StdStringSort final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    if (parameters.word("by") == "sort") {
      return std::make_unique<StringSorter<Introsort>>(problem, resources, Introsort{});
    }
    return std::make_unique<StringSorter<StableSort>>(problem, resources, StableSort{});
  }

 private:
  Info info_{
      .name = "std_string_sort",
      .title = "std::sort or std::stable_sort of libstdc++ over strings, then rearranged",
      .source = "ISO C++ [sort], [stable.sort]",
      .family = "comparison",
      .version = fmt::format("libstdc++ {}", _GLIBCXX_RELEASE),
      .keys = {KeyType::string},
      .values = {ValueType::none},
      .allocates_inside = true,
      .parameters = {{.name = "by",
                      .meaning = "std::sort, or std::stable_sort",
                      .standard = std::string{"sort"},
                      .choices = {"sort", "stable_sort"}}},
      .phases = {"sort", "rearrange"},
  };
};

const Register registered{std::make_unique<StdStringSort>()};

}  // namespace
}  // namespace sortlab
