// A component: a part of an algorithm, measured alone. It lives in the algorithm's folder and takes its parameters. A
// cell that names a component is planned, run and recorded like any other, but only the component is timed.
#pragma once

#include "algorithms/plugin.hpp"

namespace sortlab {

/// The postcondition of a component. In addition, its output always holds the input's elements, each value with its
/// key.
struct Postcondition {
  Order order{};
  bool stable = true;                ///< elements that are equal by `order` keep their input order
  Layout layout = Layout::separate;  ///< layout of the output
};

/// A component prepared for one problem, to be timed. Owns its scratch memory, already touched. On a device all its
/// work goes on Resources::stream.
class Runnable {
 public:
  virtual ~Runnable() = default;
  virtual std::uint64_t scratch_bytes() const { return 0; }
  /// Brings the restored input into the state from which run() starts, and clears the traces of earlier runs. Not
  /// timed.
  virtual void set_up(const Buffers& /*data*/) {}
  /// The only timed call. `data` is the same as for set_up(). Returns the buffers of its output.
  virtual Buffers run(const Buffers& data, PhaseTimer& phases) = 0;
  /// Duration of the last run() in seconds, if Info::times_itself.
  virtual std::optional<double> own_seconds() const { return std::nullopt; }
  /// Turns run()'s output into the state that postcondition() describes. A rank is verified by shuffling with it, for
  /// example. Not timed.
  virtual Buffers finish(const Buffers& output) { return output; }
  virtual Postcondition postcondition() const = 0;  ///< postcondition of the last run()
};

struct Component {
  using Make = std::unique_ptr<Runnable> (*)(const Problem&, const Parameters&, const Resources&);

  std::string algorithm;  ///< algorithm that it is part of
  std::string name;
  std::string title;          ///< one line for readers
  std::string source;         ///< paper, section and table
  std::string postcondition;  ///< in words
  int iterations = 1;         ///< repetitions of the work in one run: Ha et al. add up the eight pre-sorts of a sort
  std::vector<std::string> phases{};
  /// The reason it declines a problem that its algorithm accepts, or nullopt.
  std::optional<std::string> (*declines)(const Problem&, const Parameters&) = nullptr;
  Make prepare = nullptr;  ///< a weak function of a .cu file, as in common/adapters/device_algorithm.hpp
};

/// Registers a component for the life of the program.
struct RegisterComponent {
  explicit RegisterComponent(Component component);
};
const std::vector<const Component*>& all_components();  ///< sorted by algorithm and name
/// Throws BadInput that lists the algorithm's components.
const Component& component_named(const Algorithm& algorithm, std::string_view name);

}  // namespace sortlab
