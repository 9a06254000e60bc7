#include "tests/conformance/inputs.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "generators/record_distribution.hpp"

namespace sortlab {
namespace {

Keys empty_keys(KeyType type, std::uint64_t n) {
  return {std::vector<uint128>((n * byte_size(type) + sizeof(uint128) - 1) / sizeof(uint128)), n, false, {}};
}

template <class K>
bool unordered_by_less(K key) {
  if constexpr (std::is_floating_point_v<K>) return std::isnan(key) || (key == 0 && std::signbit(key));
  return false;
}

/// An input whose keys are `next(random)`, one after the other.
template <class K, class Next>
Keys keys_from(KeyType type, std::uint64_t n, Next next) {
  Keys keys = empty_keys(type, n);
  std::mt19937_64 random{n};
  K* out = reinterpret_cast<K*>(keys.storage.data());
  for (std::uint64_t i = 0; i < n; ++i) {
    out[i] = next(random);
    keys.needs_total_order |= unordered_by_less(out[i]);
  }
  return keys;
}

template <class B>
B random_bits(std::mt19937_64& random) {
  if constexpr (sizeof(B) == 16) return uint128{random()} << 64 | random();
  return static_cast<B>(random());
}

template <class T>
T draw_one(const std::vector<T>& choices, std::mt19937_64& random) {
  return choices[random() % choices.size()];
}

/// Keys at the ends and the middle of the order, where sentinels, sign bits and digit boundaries lie. Floats include
/// NaN and infinities of both signs, zeros of both signs and denormals.
template <class K>
std::vector<K> extremes() {
  using B = Bits<K>;
  const B largest = static_cast<B>(~B{0});
  const B middle = B{1} << (8 * sizeof(B) - 1);
  std::vector<K> keys;
  for (B ordered : {B{0}, B{1}, static_cast<B>(middle - 1), middle, static_cast<B>(middle + 1),
                    static_cast<B>(largest - 1), largest, B{255}, B{256}, static_cast<B>(middle + 65536)}) {
    keys.push_back(from_ordered<K>(ordered));
  }
  if constexpr (std::is_floating_point_v<K>) {
    using Limits = std::numeric_limits<K>;
    keys.insert(keys.end(), {Limits::infinity(), -Limits::infinity(), Limits::quiet_NaN(), -Limits::quiet_NaN(),
                             Limits::signaling_NaN(), Limits::denorm_min(), -Limits::denorm_min(), K{0}, -K{0}});
  }
  return keys;
}

/// Extreme floats that operator< orders: infinities, denormals, +0.
template <class K>
std::vector<K> ordinary_extremes() {
  if constexpr (std::is_floating_point_v<K>) {
    using Limits = std::numeric_limits<K>;
    return {Limits::infinity(),
            -Limits::infinity(),
            Limits::max(),
            Limits::lowest(),
            Limits::min(),
            Limits::denorm_min(),
            -Limits::denorm_min(),
            K{0},
            K{1},
            -K{1}};
  } else {
    return extremes<K>();
  }
}

/// Keys that are random in one byte and constant in the others.
template <class K>
K one_byte(std::mt19937_64& random) {
  const auto middle_byte = static_cast<Bits<K>>(static_cast<Bits<K>>(random() % 256) << (4 * sizeof(K)));
  return from_ordered<K>(static_cast<Bits<K>>(middle_byte | (Bits<K>{0xC1} << (8 * sizeof(K) - 8))));
}

/// Calls `next.operator()<K>(random)` for each key of an input.
template <class Next>
TestInput made(std::string name, Next next) {
  return {std::move(name), [next](KeyType type, std::uint64_t n) -> std::optional<Keys> {
            return with_key_type(type, [&]<class K>() {
              return keys_from<K>(type, n,
                                  [&](std::mt19937_64& random) { return next.template operator()<K>(random); });
            });
          }};
}

TestInput registered(const Distribution& distribution) {
  const std::string& name = distribution.info().name;
  const Parameters parameters = resolve(name, distribution.info().parameters, {});
  return {name, [&distribution, parameters](KeyType type, std::uint64_t n) -> std::optional<Keys> {
            const Input input{.key = type, .n = n, .seed = 1, .parameters = parameters};
            if (distribution.declines(input)) return std::nullopt;
            Keys keys = empty_keys(type, n);
            distribution.fill(input, keys.storage.data(), 1);
            keys.needs_total_order = is_float(type) && distribution.needs_total_order(input);
            return keys;
          }};
}

/// Strings of a distribution such as "random_strings:max_length=3".
TestInput strings(const std::string& text) {
  return {text, [named = parse_distribution(text)](KeyType type, std::uint64_t n) -> std::optional<Keys> {
            const Input input{.key = type, .n = n, .seed = 1, .parameters = named.parameters};
            const auto& distribution = dynamic_cast<const RecordDistribution&>(*named.distribution);
            Keys keys = empty_keys(type, n);
            keys.bytes.resize(distribution.total_bytes(input, 1));
            distribution.fill_records(input, reinterpret_cast<Record*>(keys.storage.data()), keys.bytes.data(), 1);
            return keys;
          }};
}

/// Strings of zeros with all lengths up to 39, which equal a padded prefix except in length. Each is followed by its
/// id.
TestInput zeros() {
  return {"zeros", [](KeyType type, std::uint64_t n) -> std::optional<Keys> {
            Keys keys = empty_keys(type, n);
            auto* const records = reinterpret_cast<Record*>(keys.storage.data());
            for (std::uint64_t i = 0; i < n; ++i) {
              records[i] = {keys.bytes.size(), static_cast<std::uint32_t>(i * 7919 % 40), 8};
              keys.bytes.resize(keys.bytes.size() + records[i].bytes());
              std::memcpy(&keys.bytes.back() - 7, &i, 8);
            }
            return keys;
          }};
}

/// Equal and nearly equal keys and lengths, multiples of words and others, with 0x00 and 0xFF, with and without
/// payloads.
std::vector<TestInput> make_all_strings() {
  std::vector<TestInput> inputs{zeros()};
  for (const char* text :
       {"random_strings:max_length=32,payload=8", "random_strings:max_length=3,alphabet=extremes,payload=8",
        "random_strings:max_length=40,alphabet=extremes,payload=12,payload_lengths=uniform",
        "random_strings:max_length=0", "random_strings:max_length=0,payload=8",
        "random_strings:min_length=8,max_length=8,alphabet=letters",
        "random_strings:min_length=16,max_length=16,alphabet=extremes,payload=100", "shared_prefix:prefix=20,payload=8",
        "shared_prefix:prefix=16,max_length=0,payload=8",
        "shared_prefix:prefix=33,groups=3,max_length=2,alphabet=extremes,payload=9",
        "words:theta=1,distinct=5,payload=8", "words", "urls:payload=8",
        "one_long_string:long_length=10000,payload=8"}) {
    inputs.push_back(strings(text));
  }
  return inputs;
}

std::vector<TestInput> make_all() {
  std::vector<TestInput> inputs{
      made("random_bits",
           []<class K>(std::mt19937_64& random) { return std::bit_cast<K>(random_bits<Bits<K>>(random)); }),
      made("all_largest", []<class K>(std::mt19937_64&) { return from_ordered<K>(static_cast<Bits<K>>(~Bits<K>{0})); }),
      made("extremes",
           []<class K>(std::mt19937_64& random) {
             static const std::vector<K> choices = extremes<K>();
             return draw_one(choices, random);
           }),
      made("ordinary_extremes",
           []<class K>(std::mt19937_64& random) {
             static const std::vector<K> choices = ordinary_extremes<K>();
             return draw_one(choices, random);
           }),
      made("one_byte", []<class K>(std::mt19937_64& random) { return one_byte<K>(random); }),
  };
  for (const Distribution* distribution : all_distributions()) {
    const bool named_by_user = takes_text(distribution->info().parameters);
    if (!distribution->makes_records() && !named_by_user) inputs.push_back(registered(*distribution));
  }
  return inputs;
}

}  // namespace

const std::vector<TestInput>& all_string_inputs() {
  static const std::vector<TestInput> inputs = make_all_strings();
  return inputs;
}

const std::vector<TestInput>& all_test_inputs() {
  static const std::vector<TestInput> inputs = make_all();
  return inputs;
}

}  // namespace sortlab
