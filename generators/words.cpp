// Words of a made-up vocabulary under Zipf's law, and addresses of web pages made of such words.
#include "generators/philox.hpp"
#include "generators/random_integers.hpp"
#include "generators/record_distribution.hpp"
#include "generators/zipf_table.hpp"

namespace sortlab {
namespace {

/// Words of 3 to 14 letters. Each is a function of its rank; short words may coincide.
class Vocabulary {
 public:
  Vocabulary(std::uint64_t seed, double theta, std::uint64_t words) : seed_(seed), table_(zipf_table(theta, words)) {}

  /// Returns the length in bytes of the word that 64 random bits select, and writes the word unless `to` is null.
  std::uint32_t word(std::uint64_t random, std::uint8_t* to) const {
    const std::uint64_t stream = stream_number(RecordStream::vocabulary, table_.rank(random));
    const std::uint32_t bytes = between(philox(seed_, 1 << 8, stream)[0], 3, 14);
    if (to != nullptr) fill_bytes(seed_, stream, Alphabet::letters, {to, bytes});
    return bytes;
  }

 private:
  std::uint64_t seed_;
  const ZipfTable& table_;
};

struct WordKeys final : KeySource {
  explicit WordKeys(const Input& input)
      : seed(input.seed),
        vocabulary(input.seed, input.parameters.real("theta"),
                   static_cast<std::uint64_t>(input.parameters.integer("distinct"))) {}

  std::uint32_t key(std::uint64_t i, std::uint8_t* to) const override {
    return vocabulary.word(random64(philox(seed, i, stream_number(RecordStream::choices)).data()), to);
  }

  std::uint64_t seed;
  Vocabulary vocabulary;
};

/// "https://www.<host>.com", then one to four times "/<word>".
struct UrlKeys final : KeySource {
  explicit UrlKeys(const Input& input)
      : seed(input.seed),
        hosts(~input.seed, 1.0, static_cast<std::uint64_t>(input.parameters.integer("hosts"))),
        vocabulary(input.seed, 1.0, 65536) {}

  std::uint32_t key(std::uint64_t i, std::uint8_t* to) const override {
    std::uint32_t bytes = 0;
    const auto here = [&] { return to == nullptr ? nullptr : to + bytes; };
    const auto text = [&](std::string_view part) {
      if (to != nullptr) std::memcpy(here(), part.data(), part.size());
      bytes += static_cast<std::uint32_t>(part.size());
    };
    const auto choices = philox(seed, i, stream_number(RecordStream::choices));
    text("https://www.");
    bytes += hosts.word(random64(choices.data()), here());
    text(".com");
    const std::uint32_t depth = between(choices[2], 1, 4);
    for (std::uint32_t level = 0; level < depth; ++level) {
      text("/");
      bytes += vocabulary.word(random64(philox(seed, level, stream_number(RecordStream::path, i)).data()), here());
    }
    return bytes;
  }

  std::uint64_t seed;
  Vocabulary hosts, vocabulary;
};

template <class Keys>
class OfWords final : public RecordDistribution {
 public:
  explicit OfWords(DistributionInfo info) : RecordDistribution(std::move(info)) {}

 protected:
  std::unique_ptr<KeySource> source(const Input& input) const override { return std::make_unique<Keys>(input); }
};

const RegisterDistribution words{std::make_unique<OfWords<WordKeys>>(DistributionInfo{
    .name = "words",
    .title = "Words of 3 to 14 letters under Zipf's law",
    .source = "Zipf's law of words",
    .parameters = {
        {.name = "theta", .meaning = "exponent; 0 is uniform", .standard = 1.0, .range = {0, 4}, .always_shown = true},
        {.name = "distinct",
         .meaning = "words of the vocabulary",
         .standard = std::int64_t{65536},
         .range = {1, 1099511627776}}}})};
const RegisterDistribution urls{std::make_unique<OfWords<UrlKeys>>(DistributionInfo{
    .name = "urls",
    .title = "Addresses of web pages: hosts and one to four words of a path, under Zipf's law",
    .source = "keys with long and frequent prefixes",
    .parameters = {
        {.name = "hosts", .meaning = "number of hosts", .standard = std::int64_t{1024}, .range = {1, 16777216}}}})};

}  // namespace
}  // namespace sortlab
