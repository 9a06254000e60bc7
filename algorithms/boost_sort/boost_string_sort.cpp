#include <boost/sort/spreadsort/string_sort.hpp>

#include "algorithms/boost_sort/boost_sort.hpp"
#include "algorithms/common/adapters/string_sort.hpp"

namespace sortlab {
namespace {

struct BoostStringSort {
  void operator()(std::span<Record> records, const std::uint8_t* bytes) const {
    const auto byte_at = [bytes](const Record& r, std::size_t i) { return bytes[r.offset + i]; };
    const auto length = [](const Record& r) -> std::size_t { return r.key_bytes; };
    boost::sort::spreadsort::string_sort(records.begin(), records.end(), byte_at, length, KeyBefore{bytes});
  }
};

const Register registered{std::make_unique<StringSort<BoostStringSort>>(Info{
    .name = "boost_string_sort",
    .title = "Boost.Sort spreadsort of strings (hybrid of radix and comparison), then rearranged",
    .source = "Ross: The Spreadsort high-performance general-case sorting algorithm, PDPTA 2002; Boost.Sort",
    .family = "radix",
    .version = kBoostVersion,
    .allocates_inside = true,
})};

}  // namespace
}  // namespace sortlab
