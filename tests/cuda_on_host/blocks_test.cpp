#include "blocks.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "cooperative_groups.h"
#include "cuda_runtime.h"

namespace {

using cuda_on_host::launch;

TEST(BlocksOnHost, RunEachThreadOfEachBlockOnce) {
  for (const unsigned blocks : {1U, 3U, 100U}) {
    for (const unsigned threads : {32U, 96U, 1024U}) {
      std::vector<unsigned> times(std::size_t{blocks} * threads);
      launch(blocks, threads, false, [&] {
        EXPECT_EQ(blockDim.x, threads);
        EXPECT_EQ(gridDim.x, blocks);
        ++times[blockIdx.x * blockDim.x + threadIdx.x];
      });
      EXPECT_EQ(times, std::vector<unsigned>(times.size(), 1));
    }
  }
}

TEST(BlocksOnHost, HaveSharedMemoryOfTheirOwn) {
  std::vector<unsigned> sums(10);
  launch(10, 64, false, [&] {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = blockIdx.x;
    __syncthreads();
    atomicAdd(&sum, threadIdx.x);
    __syncthreads();
    if (threadIdx.x == 7) sums[blockIdx.x] = sum;
  });
  for (unsigned b = 0; b < 10; ++b) EXPECT_EQ(sums[b], b + 63 * 64 / 2);
}

TEST(BlocksOnHost, WaitForEachOther) {
  unsigned arrived = 0, wrong = 0;
  launch(cuda_on_host::kMultiprocessors, 128, true, [&] {
    for (unsigned round = 1; round <= 20; ++round) {
      atomicAdd(&arrived, 1U);
      cooperative_groups::this_grid().sync();
      if (*static_cast<volatile unsigned*>(&arrived) != round * cuda_on_host::kMultiprocessors * 128)
        atomicAdd(&wrong, 1U);
      cooperative_groups::this_grid().sync();
    }
  });
  EXPECT_EQ(wrong, 0);
}

/// Sums over a warp in steps, each lane reading another's word of shared memory.
unsigned sum_by_steps(bool waits) {
  unsigned sum = 0;
  launch(1, 32, false, [&] {
    __shared__ unsigned words[32];
    words[threadIdx.x] = 1;
    for (unsigned step = 1; step < 32; step *= 2) {
      if (waits) __syncwarp();
      const unsigned other = words[threadIdx.x ^ step];
      if (waits) __syncwarp();
      words[threadIdx.x] += other;
    }
    if (threadIdx.x == 0) sum = words[0];
  });
  return sum;
}

TEST(BlocksOnHost, ShowThatABarrierIsMissing) {
  EXPECT_EQ(sum_by_steps(true), 32);
  EXPECT_NE(sum_by_steps(false), 32);
}

TEST(BlocksOnHost, DoTheOperationsOfWarps) {
  launch(2, 64, false, [] {
    const unsigned lane = threadIdx.x % 32;
    EXPECT_EQ(__ballot_sync(~0U, lane % 2 == 1), 0xAAAAAAAAU);
    EXPECT_EQ(__shfl_sync(~0U, lane, 5), 5);
    EXPECT_EQ(__shfl_up_sync(~0U, lane, 1), lane == 0 ? 0 : lane - 1);
    EXPECT_EQ(__shfl_down_sync(~0U, lane, 1), lane == 31 ? 31 : lane + 1);
    EXPECT_EQ(__shfl_xor_sync(~0U, 1ULL << lane, 16), 1ULL << (lane ^ 16));
    EXPECT_EQ(__reduce_add_sync(~0U, lane), 31 * 32 / 2);
    EXPECT_EQ(__reduce_max_sync(~0U, lane), 31);
    EXPECT_EQ(__reduce_or_sync(~0U, 1U << lane), ~0U);
    EXPECT_EQ(__match_any_sync(~0U, lane % 4), 0x11111111U << lane % 4);
    EXPECT_EQ(__any_sync(~0U, lane == 3), 1);
    EXPECT_EQ(__all_sync(~0U, lane != 3), 0);
    EXPECT_EQ(__syncthreads_or(threadIdx.x == 40 ? 1 : 0), 1);
    EXPECT_EQ(__syncthreads_count(threadIdx.x < 40 ? 5 : 0), 40);
  });
}

TEST(BlocksOnHost, GoOnWithoutThreadsThatHaveReturned) {
  unsigned passed = 0;
  launch(1, 128, false, [&] {
    if (threadIdx.x % 3 == 0) return;
    __syncthreads();
    __syncwarp();
    atomicAdd(&passed, 1U);
  });
  EXPECT_EQ(passed, 128 - 43);
}

TEST(BlocksOnHostDeathTest, SayWhereThreadsWaitForEver) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_DEATH(launch(1, 64, false,
                      [] {
                        if (threadIdx.x < 32) {
                          __syncthreads();
                        } else {
                          cuda_on_host::exchange(threadIdx.x == 32 ? "one" : "other", 0);
                        }
                      }),
               "lanes of one warp are in (one and other|other and one)");
  EXPECT_DEATH(launch(1, 64, false,
                      [] {
                        if (threadIdx.x == 0) {
                          __syncthreads();
                        } else {
                          __syncwarp();
                        }
                      }),
               "wait for others for ever: 1 for the block, 31 of a warp in __syncwarp");
  EXPECT_DEATH(launch(1, 32, false, [] { cooperative_groups::this_grid().sync(); }),
               "waits for blocks that do not run at the same time");
}

TEST(ThreadsOnHost, HaveCudasFunctionsOfBits) {
  EXPECT_EQ(__clz(0), 32);
  EXPECT_EQ(__clz(1), 31);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__ffs(0), 0);
  EXPECT_EQ(__ffs(8), 4);
  EXPECT_EQ(__umulhi(1U << 31, 6), 3);
  EXPECT_EQ(__funnelshift_l(0x80000001U, 1, 1), 3);
  EXPECT_EQ(__funnelshift_l(0, 1, 36), 16);  // the shift wraps at 32
  EXPECT_EQ(__funnelshift_rc(0, 5, 32), 5);
  EXPECT_EQ(__funnelshift_rc(0, 5, 40), 5);  // the shift is clamped to 32
}

}  // namespace
