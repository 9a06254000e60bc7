#include "harness/cell/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace sortlab {
namespace {

[[noreturn]] void refuse(std::string_view field, std::string_view text, const std::vector<std::string>& names) {
  throw BadInput(fmt::format("{}: '{}' is not allowed; allowed: {}", field, text.substr(0, 40), join(names)));
}

template <Named E>
E parse_name(std::string_view field, std::string_view text) {
  if (const auto value = value_named<E>(text)) return *value;
  refuse(field, text, all_names<E>());
}

template <Named Type>
Type parse_type(std::string_view field, std::string_view text) {
  if (const auto type = value_named<Type>(text)) return *type;
  const std::vector<std::string> names = all_names<Type>();
  throw BadInput(fmt::format("{}: unknown type '{}'{}; allowed: {}", field, text.substr(0, 40),
                             did_you_mean(text, names), join(names)));
}

template <class Number>
Number parse_integer(std::string_view field, std::string_view text, Number smallest, Number largest) {
  Number number{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size() || number < smallest || number > largest) {
    throw BadInput(
        fmt::format("{}: '{}' is not allowed; allowed: {} to {}", field, text.substr(0, 40), smallest, largest));
  }
  return number;
}

}  // namespace

KeyType parse_key_type(std::string_view text) {
  return parse_type<KeyType>("key", text);
}

ValueType parse_value_type(std::string_view text) {
  return parse_type<ValueType>("value", text);
}

std::optional<Layout> parse_layout(std::string_view text) {
  std::vector<std::string> names = all_names<Layout>();
  names.insert(names.begin(), "native");
  if (std::ranges::find(names, text) == names.end()) refuse("layout", text, names);
  return value_named<Layout>(text);
}

Residency parse_residency(std::string_view text) {
  return parse_name<Residency>("residency", text);
}

HostMemory parse_host_memory(std::string_view text) {
  return parse_name<HostMemory>("host_memory", text);
}

ShardSizes parse_shard_sizes(std::string_view text) {
  return parse_name<ShardSizes>("shard_sizes", text);
}

int parse_threads(std::string_view text) {
  return parse_integer<int>("threads", text, 1, kMaxThreads);
}

std::uint64_t parse_seed(std::string_view text) {
  return parse_integer<std::uint64_t>("seed", text, 0, INT64_MAX);
}

std::uint64_t parse_count(std::string_view text, const CountRange& range) {
  const auto fail = [&]() -> std::uint64_t {
    const std::string most = range.most == CountRange{}.most ? "2^40" : fmt::format("{}", range.most);
    constexpr std::uint64_t greatest_example = 500'000'000;
    throw BadInput(fmt::format(
        "{}: '{}' is not allowed; allowed: {} to {}{}", range.field, text.substr(0, 40), range.least, most,
        range.most < greatest_example ? "" : ", as 1000003, 2^24, 64M (K, M, G: 2^10, 2^20, 2^30) or 500e6"));
  };
  const auto in_range = [&](std::uint64_t number) {
    return number >= range.least && number <= range.most ? number : fail();
  };
  const auto integer = [&](std::string_view digits) -> std::uint64_t {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) fail();
    return number;
  };
  const auto checked = [&](double value) {  // exact: products of a few small integers
    return value <= static_cast<double>(range.most) ? in_range(static_cast<std::uint64_t>(value)) : fail();
  };
  if (text.empty()) return fail();
  if (const auto caret = text.find('^'); caret != std::string_view::npos) {
    const std::uint64_t base = integer(text.substr(0, caret));
    const std::uint64_t exponent = integer(text.substr(caret + 1));
    return checked(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  if (const auto e = text.find_first_of("eE"); e != std::string_view::npos) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !(number >= 0) || number != std::floor(number)) {
      return fail();
    }
    return checked(number);
  }
  constexpr std::string_view suffixes = "KMG";
  if (const auto suffix = suffixes.find(text.back()); suffix != std::string_view::npos) {
    const std::uint64_t factor = std::uint64_t{1} << (10 * (suffix + 1));
    return checked(static_cast<double>(integer(text.substr(0, text.size() - 1))) * static_cast<double>(factor));
  }
  return in_range(integer(text));
}

}  // namespace sortlab
