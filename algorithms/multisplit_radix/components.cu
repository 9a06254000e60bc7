#include "algorithms/component.hpp"
#include "algorithms/multisplit_radix/multisplit.cuh"

namespace sortlab {
namespace {

using namespace multisplit;

template <class Word, class V>
class OneMultisplit final : public Runnable {
 public:
  OneMultisplit(const Problem& problem, KeyOrder<Word> order, const Shape& shape, int bits, const Resources& resources)
      : bits_(bits), multisplit_(problem, order, shape, {bits}, resources) {}

  std::uint64_t scratch_bytes() const override { return multisplit_.scratch_bytes(); }
  void set_up(const Buffers&) override { multisplit_.clear(); }
  Buffers run(const Buffers& data, PhaseTimer& phases) override {
    multisplit_.run(data, multisplit_.second(), shift(), bits_, 0, phases);
    return multisplit_.second();
  }
  Postcondition postcondition() const override { return {.order = {.shift = shift(), .bits = bits_}}; }

 private:
  int shift() const { return 8 * static_cast<int>(sizeof(Word)) - bits_; }

  int bits_;
  Multisplit<Word, V> multisplit_;
};

}  // namespace

std::unique_ptr<Runnable> make_multisplit(const Problem& problem, const Parameters& parameters,
                                          const Resources& resources) {
  return with_types(problem, [&]<class Word, class V>(KeyOrder<Word> order) -> std::unique_ptr<Runnable> {
    const auto bits = static_cast<int>(parameters.integer("digit_bits"));
    return std::make_unique<OneMultisplit<Word, V>>(problem, order, make_shape(parameters), bits, resources);
  });
}

}  // namespace sortlab
