// The contract of a sorting algorithm. To add one: copy algorithms/_template, fill in Info, write sort().
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "algorithms/phase_timer.hpp"
#include "core/key_types.hpp"
#include "core/order.hpp"
#include "core/pages.hpp"
#include "core/parameters.hpp"
#include "core/record.hpp"

namespace sortlab {

enum class Layout : std::uint8_t { separate, together };  ///< keys and values in two arrays, or one array of Pair<K, V>
enum class Residency : std::uint8_t { host, device, end_to_end };  ///< where the timed call's input and result are
/// What a sort runs on: the CPU, a CUDA device, or both at once, on arrays in the host's memory (residency end_to_end
/// only).
enum class Processor : std::uint8_t { host, device, both };
/// The code's origin: written here to our own design, written here after a paper, or a library that we call.
enum class Origin : std::uint8_t { ours, paper, peer };

/// What is to be sorted.
struct Problem {
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  Layout layout = Layout::separate;
  Residency residency = Residency::host;
  std::uint64_t n = 0;             ///< elements
  bool needs_total_order = false;  ///< keys may be NaN, or zeros of both signs
  std::uint64_t bytes = 0;         ///< of all records together; strings only
};

/// What a sort may use.
struct Resources {
  int threads = 1;
  std::vector<int> cpus;            ///< one logical processor per thread to pin it to; empty: not pinned
  PageKind pages = PageKind::huge;  ///< pages of buffers and scratch
  void* stream = nullptr;           ///< the cudaStream_t of the current device on which a sort puts its work
};

/// An array, owned by the harness, or by the sorter if it is scratch. Problem::residency says where it is.
struct Array {
  void* data = nullptr;
  std::uint64_t count = 0;  ///< elements
  template <class T>
  std::span<T> as() const {
    return {static_cast<T*>(data), count};
  }
};

/// Layout::separate: keys and values; Layout::together: keys holds Pair<K, V>; no values: values is empty. Strings:
/// keys holds a Record each, bytes the records themselves, one after the other in the order of keys, without gaps.
struct Buffers {
  Array keys;
  Array values;
  Array bytes{};
};

/// A sort prepared for one problem. Owns its scratch memory, already touched.
class Sorter {
 public:
  virtual ~Sorter() = default;
  virtual std::uint64_t scratch_bytes() const { return 0; }
  /// Sorts ascending by KeyLess and blocks until done: the only timed call, repeatable. `data` may be overwritten.
  /// Returns the sorted output: `data` itself, or the sorter's scratch. A device sort is complete when its stream is;
  /// it need not wait for that.
  virtual Buffers sort(Buffers data, PhaseTimer& phases) = 0;
  /// Seconds of the last sort() by the sorter's own clock, where Info::times_itself: these count, not the caller's.
  virtual std::optional<double> own_seconds() const { return std::nullopt; }
};

/// An input on which the published algorithm is known to fail, in words, and how a run recognises that failure: a cell
/// that fails in this way is recorded as expected, which is a result. A limit without a failure (a bad bound, say) has
/// only its text.
struct Limit {
  std::string text;  ///< as a reader should know it
  /// The word that the sort's KnownFailure carries; and a distribution of which `shown_at` keys, of the first type of
  /// Info::keys, make it throw: the conformance suite checks this.
  std::string name{};
  std::string shown_by{};
  std::uint64_t shown_at = 0;
  std::vector<std::string> slow_on{};  ///< distributions, by name, on which a cell may time out
};

/// What sort() throws where its algorithm fails as described by one of Info::limits. It has written nothing outside its
/// buffers, and the sorter can sort again.
class KnownFailure : public std::runtime_error {
 public:
  KnownFailure(std::string limit, const std::string& what) : std::runtime_error(what), limit_(std::move(limit)) {}
  const std::string& limit() const { return limit_; }  ///< Limit::name

 private:
  std::string limit_;
};

struct Info {
  std::string name;    ///< its folder's name
  std::string title;   ///< a line for people
  std::string source;  ///< paper and section, or library
  std::string family;  ///< radix, merge, comparison, sample …
  Origin origin = Origin::peer;
  std::string paper{};  ///< the paper it comes from, as in results/published/ ("satish2010"); empty: none of the four
  std::string version;  ///< a library's version; ours: empty
  std::vector<KeyType> keys;
  std::vector<ValueType> values;
  std::vector<Layout> layouts{Layout::separate};  ///< for pairs; the first is the native one
  Processor runs_on = Processor::host;
  bool parallel = false;          ///< can use more than one thread
  bool stable = false;            ///< equal keys keep their order, whatever the parameters
  bool in_place = false;          ///< scratch is o(n)
  bool allocates_inside = false;  ///< allocates during sort()
  bool synchronises = false;      ///< on a device: the host waits for it during sort(), whatever the parameters
  bool times_itself = false;      ///< runs in another process, and the handover must not be timed: own_seconds()
  std::vector<Parameter> parameters{};
  std::vector<std::pair<std::string, GivenParameters>> presets{};  ///< named settings: paper, tuned …
  /// Its roles in papers' tables and claims (plots/records/roles.json), with its parameters in each role.
  std::vector<std::pair<std::string, GivenParameters>> roles{};
  std::vector<std::string> phases{};  ///< names that sort() reports
  std::vector<Limit> limits{};        ///< known failures of the published algorithm
};

class Algorithm {
 public:
  virtual ~Algorithm() = default;
  virtual const Info& info() const = 0;
  /// Why it cannot run on this machine at all (missing library, instruction set or device), or nothing.
  virtual std::optional<std::string> unavailable() const { return std::nullopt; }
  /// Why it declines this problem, beyond what Info says, or nothing. Never crashes.
  virtual std::optional<std::string> declines(const Problem&, const Parameters&, const Resources&) const {
    return std::nullopt;
  }
  /// The value of `auto` for a parameter that the plug-in chooses itself (an instruction set, say), or nothing: then a
  /// model chooses.
  virtual std::optional<Value> automatic(std::string_view, const Problem&, const Resources&) const {
    return std::nullopt;
  }
  /// The order of its output with these parameters: by the whole key, unless they request less.
  virtual Order order(const Parameters&) const { return {}; }
  /// Whether equal keys keep their order with these parameters.
  virtual bool stable(const Parameters&) const { return info().stable; }
  /// Whether the host waits for the device during sort() with these parameters.
  virtual bool synchronises(const Parameters&) const { return info().synchronises; }
  /// Allocates and touches scratch; `parameters` are resolved, none is auto. May throw std::bad_alloc.
  virtual std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const = 0;
};

/// Registers a plug-in for the life of the program: `const Register registered{std::make_unique<MySort>()};`
struct Register {
  explicit Register(std::unique_ptr<Algorithm> algorithm);
};
const std::vector<const Algorithm*>& all_algorithms();    ///< by name
const Algorithm& algorithm_named(std::string_view name);  ///< throws BadInput with the nearest name
/// Why `algorithm` declines `problem` (Info, unavailable() and declines() together), or nothing.
std::optional<std::string> refusal(const Algorithm& algorithm, const Problem&, const Parameters&, const Resources&);

}  // namespace sortlab
