#include <array>
#include <optional>

#include "algorithms/common/host/buffer_radix/lsd_sorter.hpp"
#include "algorithms/plugin.hpp"
#include "core/choice.hpp"
#include "core/pages.hpp"

namespace sortlab {
namespace {

using satish::Flush;
using satish::LsdSorter;

/// Pages of the second arrays and the buffers; nullopt: the same as those of the input.
constexpr std::array kPages{Choice<std::optional<PageKind>>{"input", std::nullopt},
                            Choice<std::optional<PageKind>>{"4k", PageKind::small},
                            Choice<std::optional<PageKind>>{"huge", PageKind::huge}};

class SatishCpuRadix final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    if (!kHasStreamingStores && parameters.word("flush") == "nontemporal") {
      return "this processor has no non-temporal stores: flush must be ordinary";
    }
    if (chosen("pages", parameters.word("pages"), kPages) == PageKind::huge && !huge_pages_are_given()) {
      return "transparent huge pages are off on this machine: pages must be input or 4k";
    }
    return std::nullopt;
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem&, const Resources&) const override {
    if (parameter != "flush") return std::nullopt;
    return std::string{kHasStreamingStores ? "nontemporal" : "ordinary"};
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    const satish::Settings settings{
        .digit_bits = static_cast<int>(parameters.integer("digit_bits")),
        .buffer_lines = 1 << parameters.integer("buffer_lines_log2"),
        .flush = parameters.word("flush") == "nontemporal" ? Flush::nontemporal : Flush::ordinary,
        .skip_constant_digits = parameters.word("skip_constant_digits") == "yes",
    };
    Resources own = resources;
    own.pages = chosen("pages", parameters.word("pages"), kPages).value_or(resources.pages);
    return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
      return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
        using Word = Bits<K>;
        constexpr KeyKind kind = std::is_floating_point_v<K> ? KeyKind::real : KeyKind::integer;
        const Word flip = kind == KeyKind::integer ? to_ordered(K{0}) : Word{0};
        return std::make_unique<LsdSorter<kind, Word, V>>(problem.n, flip, settings, own);
      });
    });
  }

 private:
  Info info_{
      .name = "satish_cpu_radix",
      .title = "Buffer radix sort (LSD) of Satish et al.",
      .source = "Satish et al. 2010, sections 3 and 4; SIGMOD 2010",
      .family = "radix",
      .origin = Origin::paper,
      .paper = "satish2010",
      .parallel = true,
      .stable = true,
      .parameters = {{.name = "digit_bits",
                      .meaning = "bits of a digit (D); keys take ceil(K / D) passes",
                      .standard = std::string{"auto"},
                      .range = {1, 16},
                      .automatic = {8, 11}},
                     {.name = "buffer_lines_log2",
                      .meaning = "log2 of the cache lines in the buffer of a digit (of the narrower of key and value)",
                      .standard = std::string{"auto"},
                      .range = {0, 4},
                      .automatic = {2, 3, 4, 1, 0}},
                     {.name = "flush",
                      .meaning = "stores that write a full buffer out",
                      .standard = std::string{"auto"},
                      .choices = {"ordinary", "nontemporal"}},
                     {.name = "skip_constant_digits",
                      .meaning = "skip a pass in which all keys have the same digit",
                      .standard = std::string{"yes"},
                      .choices = {"yes", "no"}},
                     {.name = "pages",
                      .meaning =
                          "pages of the sort's own memory (second arrays, buffers): as the input's, of 4 KiB, or "
                          "huge, of 2 MiB",
                      .standard = std::string{"input"},
                      .choices = choice_words(kPages),
                      .later = true}},
      .presets =
          {{"paper",
            {{"digit_bits", "8"}, {"buffer_lines_log2", "0"}, {"flush", "ordinary"}, {"skip_constant_digits", "no"}}}},
      .roles =
          {{"cpu_buffer_radix", {}},
           {"cpu_buffer_radix_paper",
            {{"digit_bits", "8"}, {"buffer_lines_log2", "0"}, {"flush", "ordinary"}, {"skip_constant_digits", "no"}}}},
      .phases = {"histogram", "scatter"},
  };
};

const Register registered{std::make_unique<SatishCpuRadix>()};

}  // namespace
}  // namespace sortlab
