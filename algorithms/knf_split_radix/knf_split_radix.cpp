#include "algorithms/knf_split_radix/automatic.hpp"
#include "algorithms/knf_split_radix/split_sorter.hpp"
#include "algorithms/plugin.hpp"

namespace sortlab {
namespace {

using knf::CompressForm;

template <class K, class V>
std::unique_ptr<Sorter> make_sorter(const Problem& problem, const Parameters& parameters, const Resources& resources) {
  constexpr KeyKind kind = std::is_floating_point_v<K> ? KeyKind::real : KeyKind::integer;
  const bool is_signed = kind == KeyKind::integer && std::is_signed_v<K>;
  const knf::Settings settings{
      .digits = knf::pass_digits(parameters.word("passes"), 8 * sizeof(K), is_signed),
      .tile_bytes = static_cast<std::size_t>(parameters.integer("tile_kib")) << 10,
      .streaming = parameters.word("stores") == "nontemporal",
      .skip_constant_digits = parameters.word("skip_constant_digits") == "yes",
  };
  const CompressForm form = parameters.word("compress") == "memory" ? CompressForm::memory : CompressForm::in_register;
  const knf::Kernels kernels = knf::kernels_for(knf::targets().target_bit(parameters.word("target")), form, sizeof(K),
                                                std::is_same_v<V, NoValue> ? 0 : sizeof(V));
  return std::make_unique<knf::SplitSorter<kind, Bits<K>, V>>(problem.n, settings, kernels, resources);
}

class KnfSplitRadix final : public Algorithm {
 public:
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem&, const Parameters& parameters, const Resources&) const override {
    return knf::targets().lacking(parameters.word("target"));
  }

  std::optional<Value> automatic(std::string_view parameter, const Problem& problem, const Resources&) const override {
    if (parameter == "target") return knf::targets().widest();  // compressing in a register is fast on all targets
    if (parameter == "tile_kib") return knf::tile_kib_here();
    if (parameter != "compress") return std::nullopt;
    const bool memory = knf::faster_form(byte_size(problem.key)) == CompressForm::memory;
    return std::string{memory ? "memory" : "register"};
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters& parameters,
                                  const Resources& resources) const override {
    return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
      return with_value_type(problem.value, [&]<class V>() -> std::unique_ptr<Sorter> {
        if constexpr (sizeof(K) <= 8) {
          return make_sorter<K, V>(problem, parameters, resources);
        } else {
          return nullptr;  // never called: not among Info::keys
        }
      });
    });
  }

 private:
  Info info_{
      .name = "knf_split_radix",
      .title = "Split radix sort (LSD) of Satish et al. for many-core processors",
      .source = "Satish et al. 2010, section 2.2",
      .family = "radix",
      .origin = Origin::paper,
      .paper = "satish2010",
      .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
      .parallel = true,
      .stable = true,
      .parameters = {{.name = "passes",
                      .meaning = "bits of the passes; paper: 6, 6, 6, 6 and 8, then eights",
                      .standard = std::string{"eights"},
                      .choices = choice_words(knf::kPasses)},
                     {.name = "tile_kib",
                      .meaning = "KiB of keys and values in a tile",
                      .standard = std::string{"auto"},
                      .range = {4, 4096}},
                     {.name = "compress",
                      .meaning = "store a register of compressed lanes whole, or compress on the way to memory",
                      .standard = std::string{"auto"},
                      .choices = {"register", "memory"}},
                     {.name = "target",
                      .meaning = "instruction set, by Highway's name; auto: the widest here",
                      .standard = std::string{"auto"},
                      .choices = knf::targets().words()},
                     {.name = "stores",
                      .meaning = "stores that write the digits' runs out",
                      .standard = std::string{"nontemporal"},
                      .choices = {"ordinary", "nontemporal"}},
                     {.name = "skip_constant_digits",
                      .meaning = "skip a pass in which all keys have the same digit",
                      .standard = std::string{"yes"},
                      .choices = {"yes", "no"}}},
      .presets = {{"paper",
                   {{"passes", "paper"}, {"tile_kib", "64"}, {"stores", "ordinary"}, {"skip_constant_digits", "no"}}}},
      .roles = {{"knf_radix_here",
                 {{"passes", "paper"}, {"tile_kib", "64"}, {"stores", "ordinary"}, {"skip_constant_digits", "no"}}}},
      .phases = {"histogram", "scatter"},
  };
};

const Register registered{std::make_unique<KnfSplitRadix>()};

}  // namespace
}  // namespace sortlab
