// The faults of sorts that are looked for, around each sort that is run. algorithms/README.md shows this table.
#pragma once

#include <array>
#include <string_view>

namespace sortlab {

struct Fault {
  std::string_view name;
  std::string_view found_by;
  std::string_view record;  ///< status of the cell; "REASON", where a reason tells this fault from others of its status
  std::string_view words;   ///< part of the reason; empty: the status alone tells
};

inline constexpr std::array kFaults{
    Fault{
        "an output that is not its input, sorted: an old result, a result of another input, work that is not done yet",
        "every sort, timed or not, has an input of its own; each output is verified against its own input, at once",
        "wrong", ""},
    Fault{"writing outside its arrays", "painted zones around each array, looked at after each sort", "failed",
          "wrote outside its arrays"},
    Fault{"writing far outside its arrays, a crash",
          "64 MiB of pages that fault on either side; each sort runs in a worker", "crashed", ""},
    Fault{"overwriting the original of its input", "its digest, whenever an output is wrong", "failed",
          "overwrote the original"},
    Fault{"work done ahead, in the call before", "the arrays hold other bytes until the call before has returned",
          "nothing is gained", "-"},
    Fault{"going on after it has returned", "processor time and states of all threads, child processes", "failed",
          "returned while"},
    Fault{"using more threads than it was given",
          "processor time of all threads and of child processes, over the wall time", "failed", "and was given"},
    Fault{"a time in which its input cannot be read once", "128 bytes a cycle and core", "failed", "is impossible"},
    Fault{"a time of its own (Info::times_itself) that is not part of the call's", "the time of the call", "failed",
          "says that it took"},
    Fault{"a phase that Info::phases lacks, or more than 4096 phases a call", "the spans that it reports", "failed",
          "phase"},
    Fault{"changing the thread or the process that calls it",
          "allowed processors, mode of floating point, signals, timers, priority, scheduling and limits, before and "
          "after",
          "failed", "changed "},
    Fault{"keeping memory that others need", "a sort that finds too little runs again in a new worker",
          "ok, for the others", "-"},
    Fault{"work on a stream of the device other than the given one",
          "the sort's stream is held and the arrays hold other bytes until it is released", "wrong", "-"},
    Fault{"going on on the device after its stream has ended", "the whole device is waited for, 40 us at most",
          "failed", "after the end of the sort's stream"},
    Fault{"a CUDA error that it leaves unread", "CUDA's last error, after each call", "failed",
          "left a CUDA error unread"},
    Fault{"an endless loop", "a time limit for each step", "timeout", ""},
};

/// Further observations, which are no faults: a record's fields.
inline constexpr std::array kObservations{
    Fault{"allocating inside the sort", "calls of malloc are counted", "allocations, page_faults", ""},
    Fault{"allocating device memory inside the sort", "the high mark of CUDA's pool", "allocated_bytes", ""},
    Fault{"waiting for the device without saying so (Algorithm::synchronises)", "the stream could not be held",
          "held: false", ""},
    Fault{"leaving the result in scratch memory", "its address", "output: scratch", ""},
};

}  // namespace sortlab
