#include "tests/conformance/guarded_array.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>

namespace sortlab {
namespace {

constexpr std::byte kMark{0xA5};
constexpr std::size_t kMarked = 1024;  ///< bytes marked on each side

std::size_t page_bytes() {
  return static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

}  // namespace

GuardedArray::GuardedArray(std::size_t capacity_bytes) {
  const std::size_t page = page_bytes();
  // Whole pages, with two kilobytes for the marks.
  const std::size_t accessible = (capacity_bytes + 2 * kMarked + page - 1) / page * page;
  mapped_ = accessible + 2 * page;
  void* mapping = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping == MAP_FAILED) throw std::bad_alloc();
  mapping_ = static_cast<std::byte*>(mapping);
  begin_ = mapping_ + page;
  end_ = begin_ + accessible;
  if (mprotect(begin_, accessible, PROT_READ | PROT_WRITE) != 0) {
    munmap(mapping_, mapped_);
    throw std::bad_alloc();
  }
}

GuardedArray::~GuardedArray() {
  munmap(mapping_, mapped_);
}

void* GuardedArray::place(std::size_t count, std::size_t element_bytes, Placement placement) {
  bytes_ = count * element_bytes;
  if (bytes_ + element_bytes > static_cast<std::size_t>(end_ - begin_)) throw std::bad_alloc();
  array_ = placement == Placement::at_end ? end_ - bytes_ : begin_ + element_bytes;
  std::ranges::fill(before(), kMark);
  std::ranges::fill(behind(), kMark);
  return array_;
}

std::span<std::byte> GuardedArray::before() const {
  const auto room = std::min<std::size_t>(kMarked, static_cast<std::size_t>(array_ - begin_));
  return {array_ - room, room};
}

std::span<std::byte> GuardedArray::behind() const {
  std::byte* first = array_ + bytes_;
  return {first, std::min<std::size_t>(kMarked, static_cast<std::size_t>(end_ - first))};
}

std::string GuardedArray::trespass() const {
  const auto overwritten = [](std::span<std::byte> marks) {
    return std::ranges::count_if(marks, [](std::byte mark) { return mark != kMark; });
  };
  if (const auto bytes = overwritten(before()); bytes != 0) {
    return fmt::format("{} bytes before the array were overwritten", bytes);
  }
  if (const auto bytes = overwritten(behind()); bytes != 0) {
    return fmt::format("{} bytes behind the array were overwritten", bytes);
  }
  return {};
}

}  // namespace sortlab
