// An example of your own distribution, for `sortlab --plugin ./my_keys.so bench -a std_sort --dist my_keys:word=sort`:
// a word's letters, over and over, each with random bits below it.
#include "generators/distribution.hpp"

#include <cstring>

#include "core/parallel.hpp"

namespace {

using namespace sortlab;

/// A random word that depends on seed and place alone (SplitMix64), so that every machine and any number of threads
/// makes the same keys.
constexpr std::uint64_t random_word(std::uint64_t seed, std::uint64_t i) {
  std::uint64_t z = seed * 0xD1342543DE82EF95u + (i + 1) * 0x9E3779B97F4A7C15u;
  z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
  z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
  return z ^ (z >> 31);
}

class MyKeys final : public Distribution {
 public:
  const DistributionInfo& info() const override { return info_; }

  std::optional<std::string> declines(const Input& input) const override {
    if (is_float(input.key)) return "my_keys makes integers only";
    return std::nullopt;
  }

  void fill(const Input& input, void* keys, int threads) const override {
    with_key_type(input.key, [&]<class K>() {
      const std::string& word = input.parameters.word("word");
      auto* const to = static_cast<std::byte*>(keys);
      in_parallel(input.n, threads, 4096, [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t i = begin; i < end; ++i) {
          const auto letter = static_cast<unsigned char>(word[i % word.size()]);
          const auto low = static_cast<Bits<K>>(random_word(input.seed, i) >> 8);
          const auto bits = static_cast<Bits<K>>(Bits<K>{letter} << (8 * sizeof(K) - 8) | low >> 8);
          std::memcpy(to + i * sizeof(K), &bits, sizeof bits);
        }
      });
    });
  }

 private:
  DistributionInfo info_{.name = "my_keys",
                         .title = "The letters of a word, an example",
                         .source = "this file",
                         .parameters = {{.name = "word",
                                         .meaning = "letters that become the keys' highest bytes",
                                         .standard = std::string{"sortlab"},
                                         .always_shown = true,
                                         .text = true}}};
};

const RegisterDistribution registered{std::make_unique<MyKeys>()};

}  // namespace
