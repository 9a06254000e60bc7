// Micro-benchmark MB6: instructions of each kind that a multiprocessor issues per cycle, with all warps at work and
// eight independent chains in each.
#include <utility>

#include "algorithms/common/cuda/cycle_marks.cuh"
#include "algorithms/common/cuda/hash.cuh"
#include "algorithms/device_probe.hpp"

namespace sortlab::calibration {
namespace {

constexpr int kIssueThreads = 256;
constexpr int kChains = 8;    ///< independent chains of instructions
constexpr int kRepeats = 32;  ///< instructions per chain in the loop's body: the loop adds a hundredth of overhead
constexpr int kIssueTimes = 64;
constexpr int kTimesOfSlow = 8;

// Each operation is one machine instruction (SASS, compute capability 9.0). A comment names it if the struct does not.
// `x` is the value of the chain, `y` that of another chain, `c` the same in all chains. No operation can be simplified
// together with the one before it.

struct Iadd3 {  // two additions, which the assembler joins; a single one may become an IMAD
  static __device__ void apply(std::uint32_t& x, std::uint32_t y, std::uint32_t c) {
    asm volatile("{.reg .u32 t; add.u32 t, %0, %1; add.u32 %0, t, %2;}" : "+r"(x) : "r"(y), "r"(c));
  }
};
struct Lop3 {
  static __device__ void apply(std::uint32_t& x, std::uint32_t y, std::uint32_t c) {
    asm volatile("lop3.b32 %0, %0, %1, %2, 0xe8;" : "+r"(x) : "r"(y), "r"(c));
  }
};
struct Shf {
  static __device__ void apply(std::uint32_t& x, std::uint32_t y, std::uint32_t) {
    asm volatile("shf.l.wrap.b32 %0, %0, %1, 7;" : "+r"(x) : "r"(y));
  }
};
struct Imad {
  static __device__ void apply(std::uint32_t& x, std::uint32_t y, std::uint32_t c) {
    asm volatile("mad.lo.u32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(c));
  }
};
struct Prmt {
  static __device__ void apply(std::uint32_t& x, std::uint32_t y, std::uint32_t c) {
    asm volatile("prmt.b32 %0, %0, %1, %2;" : "+r"(x) : "r"(y), "r"(c));
  }
};
struct Ffma {
  static __device__ void apply(std::uint32_t& x, std::uint32_t y, std::uint32_t c) {
    asm volatile(
        "{.reg .f32 a, b, c; mov.b32 a, %0; mov.b32 b, %1; mov.b32 c, %2; fma.rn.f32 a, a, b, c; mov.b32 %0, a;}"
        : "+r"(x)
        : "r"(y), "r"(c));
  }
};
struct Popc {
  static __device__ void apply(std::uint32_t& x, std::uint32_t, std::uint32_t) {
    asm volatile("popc.b32 %0, %0;" : "+r"(x));
  }
};
struct Shfl {
  static __device__ void apply(std::uint32_t& x, std::uint32_t, std::uint32_t) {
    asm volatile("shfl.sync.bfly.b32 %0, %0, 1, 0x1f, 0xffffffff;" : "+r"(x));
  }
};
struct Match {  // MATCH.ANY
  static __device__ void apply(std::uint32_t& x, std::uint32_t, std::uint32_t) {
    asm volatile("match.any.sync.b32 %0, %0, 0xffffffff;" : "+r"(x));
  }
};
struct Barrier {  // BAR.SYNC of 8 warps
  static __device__ void apply(std::uint32_t&, std::uint32_t, std::uint32_t) {
    asm volatile("bar.sync 0;" ::: "memory");
  }
};

/// Runs the chains. They begin with random words below `distinct`.
template <class Operation>
__global__ void __launch_bounds__(kIssueThreads)
    issue(int times, std::uint32_t distinct, std::uint32_t c, std::uint32_t* sink, CycleMark* marks) {
  std::uint32_t x[kChains];
#pragma unroll
  for (int i = 0; i < kChains; ++i) x[i] = hash((blockIdx.x * kIssueThreads + threadIdx.x) * kChains + i) % distinct;
  mark_begin(marks);
#pragma unroll 1
  for (int time = 0; time < times; ++time) {
#pragma unroll
    for (int i = 0; i < kRepeats * kChains; ++i) Operation::apply(x[i % kChains], x[(i + 1) % kChains], c);
  }
  mark_end(marks);
  std::uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kChains; ++i) sum += x[i];
  if (sum == 0x9e3779b9) *sink = sum;  // hardly ever
}

// 8 and 256 votes on four chains of predicates (VOTE.ANY and VOTE.ALL in turn, which cannot be simplified).
#define SORTLAB_VOTES_8                                                                     \
  "vote.sync.any.pred p, p, -1; vote.sync.any.pred q, q, -1; vote.sync.any.pred r, r, -1; " \
  "vote.sync.any.pred s, s, -1; vote.sync.all.pred p, p, -1; vote.sync.all.pred q, q, -1; " \
  "vote.sync.all.pred r, r, -1; vote.sync.all.pred s, s, -1; "
#define SORTLAB_VOTES_64                                                                                          \
  SORTLAB_VOTES_8 SORTLAB_VOTES_8 SORTLAB_VOTES_8 SORTLAB_VOTES_8 SORTLAB_VOTES_8 SORTLAB_VOTES_8 SORTLAB_VOTES_8 \
      SORTLAB_VOTES_8
#define SORTLAB_VOTES_256 SORTLAB_VOTES_64 SORTLAB_VOTES_64 SORTLAB_VOTES_64 SORTLAB_VOTES_64
static_assert(kChains * kRepeats == 256);

/// Runs votes. A ballot is the same instruction with a register as its result.
__global__ void __launch_bounds__(kIssueThreads)
    vote(int times, std::uint32_t distinct, std::uint32_t c, std::uint32_t* sink, CycleMark* marks) {
  std::uint32_t x = hash(blockIdx.x * kIssueThreads + threadIdx.x) % distinct;
  mark_begin(marks);
#pragma unroll 1
  for (int time = 0; time < times; ++time) {
    asm volatile(
        "{.reg .pred p, q, r, s; .reg .u32 t; setp.lt.u32 p, %0, %1; setp.gt.u32 q, %0, %1; setp.eq.u32 r, %0, %1;"
        " setp.ne.u32 s, %0, %1; " SORTLAB_VOTES_256
        "selp.u32 t, 1, 2, p; add.u32 %0, %0, t; selp.u32 t, 1, 2, q; add.u32 %0, %0, t;"
        " selp.u32 t, 1, 2, r; add.u32 %0, %0, t; selp.u32 t, 1, 2, s; add.u32 %0, %0, t;}"
        : "+r"(x)
        : "r"(c));
  }
  mark_end(marks);
  if (x == 0) *sink = x;  // hardly ever
}

using Kernel = void (*)(int, std::uint32_t, std::uint32_t, std::uint32_t*, CycleMark*);

/// Cycles of a multiprocessor per instruction of a warp.
double cycles_an_instruction(DeviceBench& bench, Kernel kernel, int times, std::uint32_t distinct) {
  const int blocks = bench.resident_blocks(kernel, kIssueThreads);
  const double cycles = bench.count_cycles([&](cudaStream_t stream, CycleMark* marks) {
    kernel<<<blocks * bench.multiprocessors, kIssueThreads, 0, stream>>>(
        times, distinct, 0x7f4a7c15, reinterpret_cast<std::uint32_t*>(bench.out()), marks);
  });
  return cycles / (blocks * (kIssueThreads / 32) * kChains * kRepeats * times);
}

void add_issue_probes(Rounds& rounds, DeviceBench& bench) {
  constexpr std::uint32_t any = 0xffffffff;
  const std::pair<const char*, Kernel> kernels[] = {
      {"iadd3", issue<Iadd3>}, {"lop3", issue<Lop3>}, {"shf", issue<Shf>},        {"imad", issue<Imad>},
      {"prmt", issue<Prmt>},   {"ffma", issue<Ffma>}, {"popc", issue<Popc>},      {"shfl", issue<Shfl>},
      {"match", issue<Match>}, {"vote", vote},        {"barrier", issue<Barrier>}};
  for (const auto& [operation, kernel] : kernels) {
    const std::string table = std::string{"issue."} + operation;
    rounds.declare(table, "1/cycle",
                   "MB6: instructions of a warp that a multiprocessor issues in a cycle (match: of 32 different words)",
                   {});
    const int times = kernel == static_cast<Kernel>(issue<Match>) ? kTimesOfSlow : kIssueTimes;
    rounds.add(table, {}, [&bench, kernel, times] { return 1 / cycles_an_instruction(bench, kernel, times, any); });
  }

  rounds.declare("match", "cycles",
                 "MB6: cycles of a multiprocessor for one MATCH.ANY of a warp, random words out of 'distinct'",
                 {"distinct"});
  for (const std::uint32_t distinct : {1, 2, 4, 8, 16, 32, 64, 256}) {
    rounds.add("match", {static_cast<double>(distinct)},
               [&bench, distinct] { return cycles_an_instruction(bench, issue<Match>, kTimesOfSlow, distinct); });
  }
}

const RegisterProbe issue_probes{DeviceProbe{"issue", TableKind::hardware, add_issue_probes}};

}  // namespace

}  // namespace sortlab::calibration
