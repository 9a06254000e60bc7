#include <ippcore.h>
#include <ipps.h>
#include <ippversion.h>

#include <stdexcept>

#include "algorithms/common/host/ordered_keys.hpp"
#include "algorithms/plugin.hpp"
#include "core/pages.hpp"

namespace sortlab {
namespace {

/// IPP's names for a key type, and its sort.
template <class Name, IppDataType kType, auto kSort>
struct Named {
  using Key = Name;
  static constexpr IppDataType type = kType;
  static constexpr auto sort = kSort;
};
template <class K>
struct Radix;
template <>
struct Radix<std::uint32_t> : Named<Ipp32u, ipp32u, ippsSortRadixAscend_32u_I> {};
template <>
struct Radix<std::int32_t> : Named<Ipp32s, ipp32s, ippsSortRadixAscend_32s_I> {};
template <>
struct Radix<float> : Named<Ipp32f, ipp32f, ippsSortRadixAscend_32f_I> {};
template <>
struct Radix<std::uint64_t> : Named<Ipp64u, ipp64u, ippsSortRadixAscend_64u_I> {};
template <>
struct Radix<std::int64_t> : Named<Ipp64s, ipp64s, ippsSortRadixAscend_64s_I> {};
template <>
struct Radix<double> : Named<Ipp64f, ipp64f, ippsSortRadixAscend_64f_I> {};

/// Bytes of the buffer for n keys, or nullopt if either exceeds an int, in which IPP counts them.
template <class K>
std::optional<std::size_t> buffer_bytes(std::uint64_t n) {
  int bytes = 0;
  if (n == 0) return 0;
  if (n > static_cast<std::uint64_t>(std::numeric_limits<int>::max())) return std::nullopt;
  if (ippsSortRadixGetBufferSize(static_cast<int>(n), Radix<K>::type, &bytes) != ippStsNoErr) return std::nullopt;
  if (bytes < 0) return std::nullopt;
  return static_cast<std::size_t>(bytes);
}

template <class K>
class Ready final : public Sorter {
 public:
  Ready(const Problem& problem, const Resources& resources)
      : mapped_(std::is_floating_point_v<K> && problem.needs_total_order),
        buffer_(*(mapped_ ? buffer_bytes<Bits<K>>(problem.n) : buffer_bytes<K>(problem.n)), resources.pages) {}

  std::uint64_t scratch_bytes() const override { return buffer_.size(); }

  Buffers sort(Buffers data, PhaseTimer& phases) override {
    if (data.keys.count == 0) return data;
    sort_mapped<K>(mapped_, data.keys.as<Bits<K>>(), phases,
                   [&] { mapped_ ? run<Bits<K>>(data.keys) : run<K>(data.keys); });
    return data;
  }

 private:
  template <class T>
  void run(const Array& keys) {
    const IppStatus status = Radix<T>::sort(static_cast<typename Radix<T>::Key*>(keys.data),
                                            static_cast<int>(keys.count), buffer_.template data<Ipp8u>());
    if (status != ippStsNoErr) throw std::runtime_error(ippGetStatusString(status));
  }

  bool mapped_;
  Pages buffer_;
};

class IppRadix final : public Algorithm {
 public:
  IppRadix() { ippInit(); }  // selects the code for this processor
  const Info& info() const override { return info_; }

  std::optional<std::string> declines(const Problem& problem, const Parameters&, const Resources&) const override {
    const bool fits = with_key_type(problem.key, [&]<class K>() {
      if constexpr (sizeof(K) <= 8) return buffer_bytes<K>(problem.n) && buffer_bytes<Bits<K>>(problem.n);
      return false;
    });
    if (fits) return std::nullopt;
    return "counts keys and the bytes of its buffer in an int, which would overflow";
  }

  std::unique_ptr<Sorter> prepare(const Problem& problem, const Parameters&,
                                  const Resources& resources) const override {
    return with_key_type(problem.key, [&]<class K>() -> std::unique_ptr<Sorter> {
      if constexpr (sizeof(K) <= 8) {
        return std::make_unique<Ready<K>>(problem, resources);
      } else {
        return nullptr;  // never called: not among Info::keys
      }
    });
  }

 private:
  Info info_{
      .name = "ipp_radix",
      .title = "Intel IPP's radix sort (ippsSortRadixAscend)",
      .source = "Intel Integrated Performance Primitives, ippsSortRadixAscend; Satish et al. 2010, reference 2",
      .family = "radix",
      .version = "IPP " IPP_VERSION_STR,
      .keys = {KeyType::u32, KeyType::u64, KeyType::i32, KeyType::i64, KeyType::f32, KeyType::f64},
      .values = {ValueType::none},
      .roles = {{"intel_ipp", {}}},
      .phases = {"map", "sort"},
  };
};

const Register registered{std::make_unique<IppRadix>()};

}  // namespace
}  // namespace sortlab
