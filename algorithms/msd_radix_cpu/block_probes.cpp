// Micro-benchmark MB11, a piece of msd_radix_cpu, timed with the sort's own code: computing the digits of elements in
// memory, appending the elements to the digits' buffers, and flushing these to blocks by streaming stores.
#include <memory>

#include "algorithms/msd_radix_cpu/blocks.hpp"
#include "algorithms/msd_radix_cpu/bucket_sorter.hpp"
#include "algorithms/msd_radix_cpu/probes.hpp"

namespace sortlab::calibration {
namespace {

constexpr std::size_t kInput = std::size_t{4} << 20;  ///< bytes of words that a sample appends
constexpr std::uint32_t kBlock = 256;                 ///< elements

/// Appends tiles of words that lie in memory, on one thread.
template <class K, class V>
struct Appender {
  using P = MsdPieces<K, V>;
  using Word = typename P::Word;

  Appender(const msd::Kernels<Word>& all, const msd::AllKeyKernels& keys, std::uint32_t digits, std::uint32_t lines)
      : kernels(all),
        form(msd::make_form<K, V>(keys)),
        blocks(kInput / sizeof(K) / kBlock + std::size_t{2} * digits, kBlock, P::values, PageKind::huge),
        source(blocks),
        distributor(digits, lines, source, kernels, PageKind::huge),
        map({0, static_cast<Word>(~Word{0})}, digits) {
    distributor.begin(map.count);
  }

  void append(const msd::Arrays& from, std::size_t first, std::size_t n) {
    for (std::size_t i = first; i < first + n; i += msd::kTile) {
      const Word* in = words.data();
      const Word* values = beside.data();
      if (form.direct) {
        in = static_cast<const Word*>(from.keys) + i;
        if constexpr (P::values) values = static_cast<const Word*>(from.values) + i;
      } else {
        form.enter(from, i, msd::kTile, words.data(), beside.data());
      }
      kernels.digits(in, msd::kTile, map, found.data());
      distributor.append(in, values, found.data(), msd::kTile);
    }
  }

  const msd::Kernels<Word>& kernels;
  msd::Form<Word> form;
  msd::Blocks<Word> blocks;
  msd::BlockSource<Word> source;
  msd::Distributor<Word, P::values> distributor;
  msd::Digits<Word> map;
  alignas(64) std::array<Word, msd::kTile> words;
  alignas(64) std::array<Word, msd::kTile> beside;
  alignas(64) std::array<std::uint16_t, msd::kTile> found;
};

template <class K, class V>
void add_append(Rounds& rounds, HostBench& bench, int threads, const std::string& target, std::uint32_t digits,
                std::uint32_t lines) {
  const MsdPieces<K, V> pieces{bench, threads, target};
  rounds.add(pieces.table + "append", pieces.at(digits, lines), [pieces, threads, digits, lines] {
    constexpr std::size_t n = kInput / sizeof(K);
    constexpr std::size_t warming = n / 8;  // fills the buffers
    using Mine = Appender<K, V>;
    std::vector<std::unique_ptr<Mine>> appenders(static_cast<std::size_t>(threads));
    std::vector<msd::Arrays> inputs(static_cast<std::size_t>(threads));
    const auto make = [&](int thread) {
      Arena& a = pieces.arena(thread);
      // Values are arbitrary words. Keys and values were last used a whole stream ago, and are in no cache.
      const auto place = a.next_bytes(a.words, kInput).data() - a.words.data();
      inputs[static_cast<std::size_t>(thread)] = {a.words.data() + place, a.biased_words.data() + place};
      auto& mine = appenders[static_cast<std::size_t>(thread)];
      mine = std::make_unique<Mine>(pieces.kernels, pieces.keys, digits, lines);
      mine->append(inputs[static_cast<std::size_t>(thread)], 0, warming);
    };
    const auto append = [&](int thread) {
      Mine& mine = *appenders[static_cast<std::size_t>(thread)];
      mine.append(inputs[static_cast<std::size_t>(thread)], warming, n - warming);
      finish_streaming();
    };
    return timed_by_pieces(threads, append, make) / static_cast<double>(n - warming);
  });
}

void add_probes(Rounds& rounds, HostBench& bench) {
  for (const std::string& target : msd_targets(bench.quick)) {
    rounds.declare("msd." + target + ".append", "s/element",
                   "MB11: msd_radix_cpu appends elements of random digits to buffers, and these to blocks; from memory "
                   "to memory",
                   {"threads", "key", "value", "digits", "lines"});
    for_words_and_threads(msd_teams(bench), [&]<class K, class V>(int threads) {
      for (const std::uint32_t digits : {16, 256, 2048}) {
        if (!bench.quick) add_append<K, V>(rounds, bench, threads, target, digits, 1);
        add_append<K, V>(rounds, bench, threads, target, digits, 4);
      }
    });
  }
}

const RegisterProbe registered{HostProbe{"msd_radix_cpu", TableKind::component, add_probes}};

}  // namespace
}  // namespace sortlab::calibration
