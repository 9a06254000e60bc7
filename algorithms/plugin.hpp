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

/// Layout of keys and values: in two arrays, or in one array of Pair<K, V>.
enum class Layout : std::uint8_t { separate, together };
template <>
inline constexpr std::array<std::string_view, 2> kNames<Layout>{"separate", "together"};

/// Memory that holds the timed call's input and result; end_to_end: the host's, with the copies to the device timed;
/// shards: a part of it in the memory of each of several devices.
enum class Residency : std::uint8_t { host, device, end_to_end, shards };
template <>
inline constexpr std::array<std::string_view, 4> kNames<Residency>{"host", "device", "end_to_end", "shards"};

/// Processors that a sort runs on: the CPU, a CUDA device, or both at once, which take arrays in host memory (residency
/// end_to_end only); or several devices (residency shards only).
enum class Processor : std::uint8_t { host, device, both, devices };
template <>
inline constexpr std::array<std::string_view, 4> kNames<Processor>{"host", "device", "both", "devices"};

/// Origin of the code: written here to our own design, written here after any paper, or a library that we call.
enum class Origin : std::uint8_t { ours, paper, peer };
template <>
inline constexpr std::array<std::string_view, 3> kNames<Origin>{"ours", "paper", "peer"};

/// The problem to be solved: types, layout, size and residency of the input.
struct Problem {
  KeyType key = KeyType::u32;
  ValueType value = ValueType::none;
  Layout layout = Layout::separate;
  Residency residency = Residency::host;
  std::uint64_t n = 0;             ///< elements
  bool needs_total_order = false;  ///< keys may be NaN, or zeros of both signs
  std::uint64_t bytes = 0;         ///< total size of the records; strings only
  /// Elements of each shard of the input, which add up to n; some may be 0. The input is the concatenation of the
  /// shards. Residency shards only.
  std::vector<std::uint64_t> shards{};
};

/// A stream of a device, for the work of one shard.
struct Lane {
  int device = 0;          ///< as cudaSetDevice takes it
  void* stream = nullptr;  ///< a cudaStream_t of that device
};

/// Resources that a sort may use.
struct Resources {
  int threads = 1;
  std::vector<int> cpus;            ///< one logical processor per thread to pin it to; empty: not pinned
  PageKind pages = PageKind::huge;  ///< pages of buffers and scratch
  void* stream = nullptr;           ///< the cudaStream_t of the current device on which a sort puts its work
  /// The lane of each shard; several may share a device. Work of a lane begins after what is already on its stream.
  std::vector<Lane> lanes{};
  bool reaches_peers = false;  ///< kernels on each lane's device may access the memory of all others
};

/// An array. The harness owns it, or the sorter if it is scratch. Problem::residency says where it lies.
struct Array {
  void* data = nullptr;
  std::uint64_t count = 0;  ///< elements
  template <class T>
  std::span<T> as() const {
    return {static_cast<T*>(data), count};
  }
};

/// The arrays of a problem. Layout::separate: keys and values. Layout::together: keys holds Pair<K, V>. Without values,
/// `values` is empty. Strings: keys holds one Record for each string, bytes the strings themselves, one after the other
/// in the order of keys, without gaps. Residency shards: only `shards`, one for each of Problem::shards, in memory of
/// its lane's device; those of a result may have other sizes than those of the input.
struct Buffers {
  Array keys;
  Array values;
  Array bytes{};
  std::span<const Buffers> shards{};
};

/// A sort prepared for one problem. Owns its scratch memory, already touched.
class Sorter {
 public:
  virtual ~Sorter() = default;
  virtual std::uint64_t scratch_bytes() const { return 0; }
  /// Sorts ascending by KeyLess and returns when done: the only timed call, repeatable. It may overwrite `data`.
  /// Returns the sorted output, which is `data` itself or the sorter's scratch. A device sort may return before its
  /// work on the stream is done.
  virtual Buffers sort(Buffers data, PhaseTimer& phases) = 0;
  /// Duration of the last sort() by the sorter's own clock, in seconds. Replaces the caller's time if
  /// Info::times_itself.
  virtual std::optional<double> own_seconds() const { return std::nullopt; }
};

/// An input on which the published algorithm is known to fail, and the sign by which a run recognises that failure. A
/// cell that fails in this way is recorded as an expected failure, which is a result. A limit without a failure (a bad
/// bound, say) has only its text.
struct Limit {
  std::string text;  ///< description for readers of reports
  /// Identifier that the sort's KnownFailure carries. The conformance suite checks that the sort throws it on
  /// `shown_at` keys of distribution `shown_by`, of the first type in Info::keys.
  std::string name{};
  std::string shown_by{};
  std::uint64_t shown_at = 0;
  std::vector<std::string> slow_on{};  ///< distributions, by name, on which a cell may time out
};

/// Thrown by sort() when its algorithm fails as one of Info::limits describes. Nothing outside the buffers has been
/// written, and the sorter can sort again.
class KnownFailure : public std::runtime_error {
 public:
  KnownFailure(std::string limit, const std::string& what) : std::runtime_error(what), limit_(std::move(limit)) {}
  const std::string& limit() const { return limit_; }  ///< Limit::name

 private:
  std::string limit_;
};

struct Info {
  std::string name;    ///< name of its folder, or of its source in a folder of several
  std::string title;   ///< one line for readers
  std::string source;  ///< paper and section, or library
  std::string family;  ///< radix, merge, comparison, sample …: shown to people, never compared
  Origin origin = Origin::peer;
  std::string paper{};    ///< as in results/published/ ("satish2010"); empty: none of these, `source` names it
  std::string version{};  ///< version of a library; empty for our own code
  std::vector<KeyType> keys{kKeyTypes.begin(), kKeyTypes.end()};
  std::vector<ValueType> values{kValueTypes.begin(), kValueTypes.end()};
  std::vector<Layout> layouts{Layout::separate};  ///< for pairs; the first is the native one
  Processor runs_on = Processor::host;            ///< devices: it takes problems in shards, and no others
  bool parallel = false;                          ///< can use more than one thread
  bool stable = false;                            ///< equal keys keep their order, with any parameters
  bool in_place = false;                          ///< scratch is o(n)
  bool allocates_inside = false;                  ///< allocates during sort()
  bool synchronises = false;                      ///< the host waits for the device during sort(), with any parameters
  bool times_itself = false;                      ///< runs in another process, so own_seconds() leaves out the handover
  std::vector<Parameter> parameters{};
  std::vector<std::pair<std::string, GivenParameters>> presets{};  ///< named settings: paper, tuned …
  /// Its roles in papers' tables and claims (plots/records/roles.json), with its parameters in each role.
  std::vector<std::pair<std::string, GivenParameters>> roles{};
  std::vector<std::string> phases{};  ///< names of the phases that sort() reports
  std::vector<Limit> limits{};        ///< known failures of the published algorithm
};

class Algorithm {
 public:
  virtual ~Algorithm() = default;
  virtual const Info& info() const = 0;
  /// The reason it cannot run on this machine (missing library, instruction set or device), or nullopt.
  virtual std::optional<std::string> unavailable() const { return std::nullopt; }
  /// The reason it declines this problem, beyond the limits in Info, or nullopt. Never crashes.
  virtual std::optional<std::string> declines(const Problem&, const Parameters&, const Resources&) const {
    return std::nullopt;
  }
  /// The value of `auto` for a parameter that the plug-in chooses itself (an instruction set, say). A model chooses if
  /// this is nullopt.
  virtual std::optional<Value> automatic(std::string_view, const Problem&, const Resources&) const {
    return std::nullopt;
  }
  /// The order of the output with these parameters: by the whole key, unless they ask for a weaker order.
  virtual Order order(const Parameters&) const { return {}; }
  /// True if equal keys keep their order with these parameters.
  virtual bool stable(const Parameters&) const { return info().stable; }
  /// True if the host waits for the device during sort() with these parameters.
  virtual bool synchronises(const Parameters&) const { return info().synchronises; }
  /// Allocates and touches the scratch memory. No parameter is `auto` any more. May throw std::bad_alloc.
  virtual std::unique_ptr<Sorter> prepare(const Problem&, const Parameters&, const Resources&) const = 0;
};

/// Registers a plug-in: `const Register registered{std::make_unique<MySort>()};`. The constructor and the functions
/// below are defined in registry.cpp for the program, and in module.cpp for a module.
struct Register {
  explicit Register(std::unique_ptr<Algorithm> algorithm);
};
const std::vector<const Algorithm*>& all_algorithms();    ///< sorted by name
const Algorithm& algorithm_named(std::string_view name);  ///< throws BadInput with the nearest name
/// The reason `algorithm` declines `problem` (by Info, unavailable() or declines()), or nullopt.
std::optional<std::string> refusal(const Algorithm& algorithm, const Problem&, const Parameters&, const Resources&);
/// The same without unavailable(): the reason no machine sorts the problem with `algorithm`, or nullopt.
std::optional<std::string> refusal_anywhere(const Algorithm& algorithm, const Problem&, const Parameters&,
                                            const Resources&);

}  // namespace sortlab
