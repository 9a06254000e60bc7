// Host side of the sort: one multisplit per digit, least significant first.
#include "algorithms/multisplit_radix/multisplit.cuh"

namespace sortlab {
namespace {

using namespace multisplit;

template <class Word, class V>
class MultisplitSorter final : public Sorter {
 public:
  MultisplitSorter(const Problem& problem, KeyOrder<Word> order, const Shape& shape, Digits digits,
                   const Resources& resources)
      : digits_(digits), multisplit_(problem, order, shape, {digits.bits(0), digits.digit_bits}, resources) {}

  std::uint64_t scratch_bytes() const override { return multisplit_.scratch_bytes(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count < 2) return data;
    Buffers from = data, to = multisplit_.second();
    for (int pass = 0; pass < digits_.passes(); ++pass) {
      multisplit_.run(from, to, digits_.shift(pass), digits_.bits(pass), pass, phases);
      std::swap(from, to);
    }
    return from;
  }

 private:
  Digits digits_;
  Multisplit<Word, V> multisplit_;
};

}  // namespace

std::unique_ptr<Sorter> make_multisplit_radix(const Problem& problem, const Parameters& parameters,
                                              const Resources& resources) {
  return with_types(problem, [&]<class Word, class V>(KeyOrder<Word> order) -> std::unique_ptr<Sorter> {
    const Digits digits{.key_bits = 8 * static_cast<int>(sizeof(Word)),
                        .digit_bits = static_cast<int>(parameters.integer("digit_bits"))};
    return std::make_unique<MultisplitSorter<Word, V>>(problem, order, make_shape(parameters), digits, resources);
  });
}

}  // namespace sortlab
