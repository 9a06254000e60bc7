// Lets the workers of two programs take samples in turn on the same processors, one at a time, so that whatever slows
// the machine slows both alike (`compare --interleaved`).
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

namespace sortlab {

/// Name of the environment variable that makes a worker one of two: "SIDE:FILE", SIDE 0 or 1.
inline constexpr const char* kTurnstileVariable = "SORTLAB_TURNSTILE";

/// One side of a turnstile. The file, which both map, is theirs alone; a side that has died is not waited for.
class Turnstile {
 public:
  /// The side that the environment names, or null. Throws BadInput if it is not SIDE:FILE.
  static std::unique_ptr<Turnstile> from_environment();

  /// Throws std::system_error if the file cannot be mapped.
  Turnstile(int side, const std::string& file);
  Turnstile(const Turnstile&) = delete;
  Turnstile& operator=(const Turnstile&) = delete;
  ~Turnstile();

  /// Waits until the other side is at the same block, for some seconds at most, and then for this side's turn.
  void enter(std::uint64_t block);
  /// Gives the other side its turn and waits for the next one; nothing while the other side takes none.
  void hand_over();
  /// Leaves the block: the other side goes on without this one.
  void leave();
  /// Says, for a side whose program has ended, that it enters no other block, so that the other waits for it no more.
  void withdraw();

 private:
  struct Side {
    std::atomic<std::int32_t> process{0};  ///< 0 outside a block
    std::atomic<std::uint64_t> block{0};
    std::atomic<bool> takes_turns{false};  ///< false while it waits for the other in `enter`
    std::atomic<bool> withdrawn{false};
  };
  struct Page {
    std::atomic<std::uint32_t> turn{0};
    Side sides[2];
  };
  static_assert(std::atomic<std::uint32_t>::is_always_lock_free && std::atomic<std::uint64_t>::is_always_lock_free);

  Side& mine() { return page_->sides[side_]; }
  Side& other() { return page_->sides[1 - side_]; }
  bool other_is_inside();
  bool other_may_enter(std::uint64_t block);
  void wait_for_turn();
  void give_turn();

  std::uint32_t side_;
  Page* page_;
};

}  // namespace sortlab
