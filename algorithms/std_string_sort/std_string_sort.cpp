#include <fmt/format.h>

#include <algorithm>

#include "algorithms/common/adapters/string_sort.hpp"

namespace sortlab {
namespace {

class StdStringSort {
 public:
  explicit StdStringSort(const Parameters& parameters) : stable_(parameters.word("by") == "stable_sort") {}

  void operator()(std::span<Record> records, const std::uint8_t* bytes) const {
    if (stable_) {
      std::stable_sort(records.begin(), records.end(), KeyBefore{bytes});
    } else {
      std::sort(records.begin(), records.end(), KeyBefore{bytes});
    }
  }

 private:
  bool stable_;
};

const Register registered{std::make_unique<StringSort<StdStringSort>>(Info{
    .name = "std_string_sort",
    .title = "std::sort or std::stable_sort of libstdc++ over strings, then rearranged",
    .source = "ISO C++ [sort], [stable.sort]",
    .family = "comparison",
    .version = fmt::format("libstdc++ {}", _GLIBCXX_RELEASE),
    .allocates_inside = true,
    .parameters = {{.name = "by",
                    .meaning = "std::sort, or std::stable_sort",
                    .standard = std::string{"sort"},
                    .choices = {"sort", "stable_sort"}}},
})};

}  // namespace
}  // namespace sortlab
