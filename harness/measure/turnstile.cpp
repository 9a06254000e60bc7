#include "harness/measure/turnstile.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/futex.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string_view>
#include <thread>

#include "core/bad_input.hpp"
#include "core/descriptor.hpp"

namespace sortlab {
namespace {

/// Sleeps until the turn is no longer `value`, or for a moment. The other side may die meanwhile.
void sleep_while(std::atomic<std::uint32_t>& turn, std::uint32_t value) {
  const timespec moment{.tv_sec = 0, .tv_nsec = 50'000'000};
  syscall(SYS_futex, &turn, FUTEX_WAIT, value, &moment, nullptr, 0);
}

bool lives(pid_t process) {
  return process > 0 && (kill(process, 0) == 0 || errno == EPERM);
}

}  // namespace

std::unique_ptr<Turnstile> Turnstile::from_environment() {
  const char* const value = std::getenv(kTurnstileVariable);
  if (value == nullptr || *value == '\0') return nullptr;
  const std::string_view text{value};
  if (text.size() < 3 || (text[0] != '0' && text[0] != '1') || text[1] != ':') {
    throw BadInput(fmt::format("{}: must be 0:FILE or 1:FILE", kTurnstileVariable));
  }
  return std::make_unique<Turnstile>(text[0] - '0', std::string{text.substr(2)});
}

Turnstile::Turnstile(int side, const std::string& file) : side_(static_cast<std::uint32_t>(side)) {
  const Descriptor descriptor{open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600), file.c_str()};
  // A new file holds zeros, which is a page with both sides outside.
  void* page = MAP_FAILED;
  if (ftruncate(descriptor.get(), sizeof(Page)) == 0) {
    page = mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor.get(), 0);
  }
  if (page == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mapping " + file);
  page_ = static_cast<Page*>(page);
}

Turnstile::~Turnstile() {
  munmap(page_, sizeof(Page));
}

void Turnstile::enter(std::uint64_t block) {
  mine().block = block;
  mine().process = getpid();
  constexpr auto patience = std::chrono::seconds{3};
  const auto end = std::chrono::steady_clock::now() + patience;
  while (other_may_enter(block) && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
  // In this order, as in Peterson's lock: of two that enter at once, one waits.
  mine().takes_turns = true;
  give_turn();
  wait_for_turn();
}

void Turnstile::hand_over() {
  if (!other_is_inside()) return;
  give_turn();
  wait_for_turn();
}

void Turnstile::leave() {
  mine().takes_turns = false;
  mine().process = 0;
  give_turn();
}

void Turnstile::withdraw() {
  mine().withdrawn = true;
  leave();
}

bool Turnstile::other_may_enter(std::uint64_t block) {
  return !other().withdrawn && (!lives(other().process) || other().block != block);
}

bool Turnstile::other_is_inside() {
  return lives(other().process) && (other().takes_turns || other().block == mine().block);
}

void Turnstile::wait_for_turn() {
  while (page_->turn != side_ && other_is_inside()) sleep_while(page_->turn, 1 - side_);
}

void Turnstile::give_turn() {
  page_->turn = 1 - side_;
  syscall(SYS_futex, &page_->turn, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

}  // namespace sortlab
