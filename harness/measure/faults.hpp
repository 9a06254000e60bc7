// The faults of sorts that are looked for, around each sort that is run. algorithms/README.md shows this table.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "harness/cell/reason_code.hpp"

namespace sortlab {

struct Fault {
  std::string_view name;
  std::string_view found_by;
  std::string_view record;           ///< status of the cell, or what the record says instead
  std::optional<ReasonCode> code{};  ///< code of the reason; nullopt: the status alone tells
  bool is_told_apart = true;         ///< false: no record names this fault
};

inline constexpr std::array kFaults{
    Fault{
        "an output that is not its input, sorted: an old result, a result of another input, work that is not done yet",
        "every sort, timed or not, has an input of its own; each output is verified against its own input, at once",
        "wrong"},
    Fault{"writing outside its arrays", "painted zones around each array, looked at after each sort", "failed",
          ReasonCode::outside_arrays},
    Fault{"writing far outside its arrays, a crash",
          "64 MiB of pages that fault on either side; each sort runs in a worker", "crashed"},
    Fault{"overwriting the original of its input", "its digest, whenever an output is wrong", "failed",
          ReasonCode::original_overwritten},
    Fault{"work done ahead, in the call before", "the arrays hold other bytes until the call before has returned",
          "nothing is gained", std::nullopt, false},
    Fault{"going on after it has returned", "processor time and states of all threads, child processes", "failed",
          ReasonCode::still_working},
    Fault{"using more threads than it was given",
          "processor time of all threads and of child processes, over the wall time", "failed",
          ReasonCode::too_many_threads},
    Fault{"leaving all work to one of the threads it was given", "the same, of large inputs in no order", "failed",
          ReasonCode::idle_threads},
    Fault{"a time in which its input cannot be read once", "128 bytes a cycle and core", "failed",
          ReasonCode::impossible_time},
    Fault{"a time of its own (Info::times_itself) that is not part of the call's", "the time of the call", "failed",
          ReasonCode::own_time},
    Fault{"a phase that Info::phases lacks, or more than 4096 phases a call", "the spans that it reports", "failed",
          ReasonCode::phases},
    Fault{"changing the thread or the process that calls it",
          "allowed processors, mode of floating point, signals, timers, priority, scheduling and limits, before and "
          "after",
          "failed", ReasonCode::caller_changed},
    Fault{"keeping memory that others need", "a sort that finds too little runs again in a new worker",
          "ok, for the others", std::nullopt, false},
    Fault{"work on a stream of the device other than the given one",
          "the sort's stream is held and the arrays hold other bytes until it is released", "wrong", std::nullopt,
          false},
    Fault{"going on on the device after its stream has ended", "the whole device is waited for, 40 us at most",
          "failed", ReasonCode::device_still_working},
    Fault{"a CUDA error that it leaves unread", "CUDA's last error, after each call", "failed", ReasonCode::cuda_error},
    Fault{"an endless loop", "a time limit for each step", "timeout"},
};

/// Further observations, which are no faults: a record's fields.
inline constexpr std::array kObservations{
    Fault{"allocating inside the sort", "calls of malloc are counted", "allocations, page_faults"},
    Fault{"allocating device memory inside the sort", "the high mark of CUDA's pool", "allocated_bytes"},
    Fault{"waiting for the device without saying so (Algorithm::synchronises)", "the stream could not be held",
          "held: false"},
    Fault{"leaving the result in scratch memory", "its address", "output: scratch"},
};

}  // namespace sortlab
