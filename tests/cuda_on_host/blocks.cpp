#include "blocks.hpp"

#include <algorithm>
#include <barrier>
#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <random>
#include <string>
#include <thread>
#include <vector>

thread_local cuda_on_host::Index threadIdx, blockIdx, blockDim, gridDim;

namespace cuda_on_host {
namespace {

using Stacks = boost::context::pooled_fixedsize_stack;
constexpr std::size_t kStackBytes = std::size_t{64} << 10;

[[noreturn]] void fail(const std::string& why) {
  std::fprintf(stderr, "block %u: %s\n", blockIdx.x, why.c_str());
  std::abort();
}

/// A barrier of the threads that have not yet returned from the kernel.
struct Barrier {
  unsigned expected = 0;
  std::vector<unsigned> waiting{};
  const char* operation = nullptr;
};

struct Warp {
  Barrier barrier;
  /// Two buffers used alternately: a lane may begin the next operation before another has read the results of this one.
  std::array<Lanes, 2> lanes{};
  unsigned turn = 0;
};

class Block {
 public:
  Block(unsigned threads, Stacks stacks, std::barrier<>* grid, unsigned seed)
      : stacks_(std::move(stacks)),
        grid_(grid),
        draw_(seed),
        threads_(threads),
        warps_((threads + kWarp - 1) / kWarp) {}

  void run(const std::function<void()>& kernel);
  BlockResult wait(unsigned mine);
  const Lanes& wait_in_warp(const char* operation, const void* mine, std::size_t bytes);
  void wait_for_grid();

 private:
  void start(unsigned thread, const std::function<void()>& kernel);
  void arrive(Barrier& barrier, const char* operation);
  void leave(Barrier& barrier);
  void release(Barrier& barrier);

  Stacks stacks_;
  std::barrier<>* grid_;
  std::minstd_rand draw_;
  std::vector<boost::context::fiber> threads_;
  std::vector<Warp> warps_;
  Barrier barrier_;
  BlockResult pending_{}, result_{};
  std::deque<unsigned> ready_;
  unsigned live_ = 0;
  boost::context::fiber scheduler_;
};

thread_local Block* current = nullptr;

void Block::start(unsigned thread, const std::function<void()>& kernel) {
  threads_[thread] = boost::context::fiber{std::allocator_arg, stacks_, [&](boost::context::fiber&& scheduler) {
                                             scheduler_ = std::move(scheduler);
                                             kernel();
                                             --live_;
                                             leave(barrier_);
                                             Warp& warp = warps_[threadIdx.x / kWarp];
                                             for (Lanes& lanes : warp.lanes)
                                               lanes.present &= ~(1U << threadIdx.x % kWarp);
                                             leave(warp.barrier);
                                             return std::move(scheduler_);
                                           }};
}

void Block::run(const std::function<void()>& kernel) {
  const auto threads = static_cast<unsigned>(threads_.size());
  barrier_.expected = live_ = threads;
  for (unsigned w = 0; w < warps_.size(); ++w) {
    Warp& warp = warps_[w];
    warp.barrier.expected = std::min(kWarp, threads - w * kWarp);
    for (Lanes& lanes : warp.lanes) lanes.present = ~0U >> (kWarp - warp.barrier.expected);
  }
  for (unsigned t = 0; t < threads; ++t) {
    start(t, kernel);
    ready_.push_back(t);
  }
  std::ranges::shuffle(ready_, draw_);
  while (!ready_.empty()) {
    const unsigned thread = ready_.front();
    ready_.pop_front();
    threadIdx = {thread, 0, 0};
    threads_[thread] = std::move(threads_[thread]).resume();
  }
  if (live_ == 0) return;
  std::string why = std::to_string(live_) + " threads wait for others for ever:";
  if (!barrier_.waiting.empty()) why += " " + std::to_string(barrier_.waiting.size()) + " for the block";
  for (const Warp& warp : warps_) {
    if (!warp.barrier.waiting.empty()) {
      why += ", " + std::to_string(warp.barrier.waiting.size()) + " of a warp in " + warp.barrier.operation;
    }
  }
  fail(why);
}

void Block::release(Barrier& barrier) {
  auto& waiting = barrier.waiting;
  const auto drawn = draw_();
  if (drawn / 1024 % 2 == 0) std::ranges::reverse(waiting);
  const auto middle = waiting.begin() + drawn / 2048 % waiting.size();
  ready_.insert(ready_.end(), middle, waiting.end());
  ready_.insert(ready_.end(), waiting.begin(), middle);
  barrier.waiting.clear();
  barrier.operation = nullptr;
  if (&barrier == &barrier_) {
    result_ = pending_;
    pending_ = {};
  } else {
    warps_[threadIdx.x / kWarp].turn ^= 1;
  }
}

void Block::arrive(Barrier& barrier, const char* operation) {
  if (barrier.operation != nullptr && barrier.operation != operation &&
      std::strcmp(barrier.operation, operation) != 0) {
    fail(std::string{"lanes of one warp are in "} + barrier.operation + " and " + operation);
  }
  barrier.operation = operation;
  barrier.waiting.push_back(threadIdx.x);
  if (barrier.waiting.size() == barrier.expected) release(barrier);
  scheduler_ = std::move(scheduler_).resume();
}

/// Takes the thread, which has returned from the kernel, out of the barrier.
void Block::leave(Barrier& barrier) {
  --barrier.expected;
  if (barrier.expected > 0 && barrier.waiting.size() == barrier.expected) release(barrier);
}

BlockResult Block::wait(unsigned mine) {
  pending_.sum += mine;
  pending_.any |= mine;
  arrive(barrier_, "a barrier");
  return result_;
}

const Lanes& Block::wait_in_warp(const char* operation, const void* mine, std::size_t bytes) {
  Warp& warp = warps_[threadIdx.x / kWarp];
  Lanes& lanes = warp.lanes[warp.turn];
  std::memcpy(lanes.given[threadIdx.x % kWarp].data(), mine, bytes);
  arrive(warp.barrier, operation);
  return lanes;
}

void Block::wait_for_grid() {
  if (grid_ == nullptr) fail("waits for blocks that do not run at the same time");
  wait(0);
  if (threadIdx.x == 0) grid_->arrive_and_wait();
  wait(0);
}

}  // namespace

BlockResult wait_for_block(unsigned mine) {
  return current->wait(mine);
}
const Lanes& wait_for_warp(const char* operation, const void* mine, std::size_t bytes) {
  return current->wait_in_warp(operation, mine, bytes);
}
void wait_for_grid() {
  current->wait_for_grid();
}

void launch(unsigned blocks, unsigned threads, bool together, const std::function<void()>& kernel) {
  const unsigned workers = std::min(blocks, kMultiprocessors);
  std::barrier<> grid{static_cast<std::ptrdiff_t>(workers)};
  std::vector<std::jthread> running;
  for (unsigned worker = 0; worker < workers; ++worker) {
    running.emplace_back([&, worker] {
      blockDim = {threads, 1, 1};
      gridDim = {blocks, 1, 1};
      const Stacks stacks{kStackBytes};
      for (unsigned b = worker; b < blocks; b += workers) {
        blockIdx = {b, 0, 0};
        Block block{threads, stacks, together ? &grid : nullptr, b + 1};
        current = &block;
        block.run(kernel);
      }
      if (together) grid.arrive_and_drop();
    });
  }
}

}  // namespace cuda_on_host
