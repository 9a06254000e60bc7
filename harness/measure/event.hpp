// The events that a worker sends to its supervisor while it measures a block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "harness/cell/result.hpp"

namespace sortlab {
namespace event {

/// The worker waits for its first block.
struct Ready {
  std::string counters_reason;                     ///< reason it has no hardware counters; empty if it has
  std::map<std::string, std::string> libraries{};  ///< loaded_libraries() of the worker
};

/// The block's input has been made.
struct InputMade {
  std::optional<double> entropy_bits;
  std::optional<DeviceFacts> device;  ///< device that its cells run on; none: the host
  std::string digest{};               ///< digest of the cells' own input, which has their seed, as in Verification
};

/// The block's input cannot be made, and none of its cells was measured.
struct NoInput {
  std::string reason;
};

// Events of a cell. `cell` is its index in the block that the worker received.

struct Prepared {
  std::size_t cell = 0;
  std::uint64_t scratch_bytes = 0;
  std::vector<int> affinity;  ///< processors given to it
};

struct SampleTaken {
  std::size_t cell = 0;
  Sample sample;
  Verification verification;
  double spent_s = 0;  ///< seconds spent on the cell so far, without waiting
};

// A cell's turn ends with TurnOver or Lost, and the metering of its energy with EnergyTaken or Lost.

/// The cell has its share of samples, or the time budget of the run ended.
struct TurnOver {
  std::size_t cell = 0;
  std::vector<double> called_s{};  ///< calls as a program makes them; none where that is not measured
};

/// The cell's energy was metered, or cannot be.
struct EnergyTaken {
  std::size_t cell = 0;
  CellEnergy energy;
};

struct Lost {
  std::size_t cell = 0;
  Status status = Status::failed;  ///< or wrong
  ReasonCode code{};
  std::string reason;
  std::optional<Verification> verification;  ///< verification of the last output
  std::string limit{};                       ///< name of the limit of a KnownFailure
};

/// The worker exits because its device failed. The cell at fault has been reported.
struct Leaving {};

/// The worker waits for its next block.
struct BlockDone {};

}  // namespace event

using WorkerEvent = std::variant<event::Ready, event::InputMade, event::NoInput, event::Prepared, event::SampleTaken,
                                 event::TurnOver, event::EnergyTaken, event::Lost, event::Leaving, event::BlockDone>;

/// Called with each event as it happens.
using ReportEvent = std::function<void(const WorkerEvent&)>;

}  // namespace sortlab
