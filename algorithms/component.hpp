// A component: a part of an algorithm, measured alone. It lives in the algorithm's folder and takes its parameters; a
// cell that names one is planned, run in turn and recorded like any other, but only the component is timed.
#pragma once

#include "algorithms/plugin.hpp"

namespace sortlab {

/// The postcondition of a component, besides that its output has the input's elements, each value with its key.
struct Postcondition {
  Order order{};
  bool stable = true;                ///< elements that are equal by `order` stay in input order
  Layout layout = Layout::separate;  ///< of the output
};

/// A component prepared for one problem, to be timed. Owns its scratch memory, already touched. On a device all its
/// work goes on Resources::stream.
class Runnable {
 public:
  virtual ~Runnable() = default;
  virtual std::uint64_t scratch_bytes() const { return 0; }
  /// Turns the restored input into what run() starts from, and clears what an earlier run() left. Not timed.
  virtual void set_up(const Buffers& /*data*/) {}
  /// The only timed call. `data` is what set_up saw; returns where its output lies.
  virtual Buffers run(const Buffers& data, PhaseTimer& phases) = 0;
  /// Of the last run(), where Info::times_itself.
  virtual std::optional<double> own_seconds() const { return std::nullopt; }
  /// Turns run()'s output into what postcondition() describes: a rank is verified by the shuffle after it. Not timed.
  virtual Buffers finish(const Buffers& output) { return output; }
  virtual Postcondition postcondition() const = 0;  ///< of the last run()
};

struct Component {
  using Make = std::unique_ptr<Runnable> (*)(const Problem&, const Parameters&, const Resources&);

  std::string algorithm;  ///< whose part it is
  std::string name;
  std::string title;          ///< a line for people
  std::string source;         ///< paper, section and table
  std::string postcondition;  ///< in words
  int iterations = 1;         ///< how often a run does the work: Ha et al. add up the eight pre-sorts of a sort
  std::vector<std::string> phases{};
  /// Why it declines a problem that its algorithm accepts, or nothing.
  std::optional<std::string> (*declines)(const Problem&, const Parameters&) = nullptr;
  Make prepare = nullptr;  ///< a weak function of a .cu file, as in common/adapters/device_algorithm.hpp
};

/// Registers a component for the life of the program.
struct RegisterComponent {
  explicit RegisterComponent(Component component);
};
const std::vector<const Component*>& all_components();  ///< by algorithm and name
/// Throws BadInput with the names that the algorithm has.
const Component& component_named(const Algorithm& algorithm, std::string_view name);

}  // namespace sortlab
