#include <boost/sort/spreadsort/string_sort.hpp>
#include <boost/version.hpp>

#include "algorithms/common/adapters/string_sort.hpp"

namespace sortlab {
namespace {

struct StringSort {
  void operator()(std::span<Record> records, const std::uint8_t* bytes) const {
    const auto byte_at = [bytes](const Record& r, std::size_t i) { return bytes[r.offset + i]; };
    const auto length = [](const Record& r) -> std::size_t { return r.key_bytes; };
    boost::sort::spreadsort::string_sort(records.begin(), records.end(), byte_at, length, KeyBefore{bytes});
  }
};

class BoostStringSort final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    return std::make_unique<StringSorter<StringSort>>(problem, resources, StringSort{});
  }

 private:
  Info info_{
      .name = "boost_string_sort",
      .title = "Boost.Sort spreadsort of strings (hybrid of radix and comparison), then rearranged",
      .source = "Ross: The Spreadsort high-performance general-case sorting algorithm, PDPTA 2002; Boost.Sort",
      .family = "radix",
      .version = "Boost " BOOST_LIB_VERSION,
      .keys = {KeyType::string},
      .values = {ValueType::none},
      .allocates_inside = true,
      .phases = {"sort", "rearrange"},
  };
};

const Register registered{std::make_unique<BoostStringSort>()};

}  // namespace
}  // namespace sortlab
