#include "harness/measure/guarded_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "core/affinity.hpp"
#include "core/pages.hpp"
#include "core/parallel.hpp"

namespace sortlab {
namespace {

constexpr std::uint64_t kHugePage = std::uint64_t{2} << 20;
/// Smaller arrays lie in small pages, as those of core/pages.hpp do.
constexpr std::uint64_t kLeastForHuge = kHugePage / 8;
/// Pages that fault on either side: 64 MiB, more than most sorts get wrong by.
constexpr std::uint64_t kFaulting = std::uint64_t{64} << 20;
/// Bytes between two arrays, and the most that are painted at either end.
constexpr std::uint64_t kBetween = 128;
constexpr std::uint64_t kAtEnds = std::uint64_t{64} << 10;
constexpr std::byte kPaint{0xA5};

/// 4 KiB on x86; 4, 16 or 64 KiB on Arm.
std::uint64_t system_page() {
  static const auto bytes = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return bytes;
}

std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

void touch(std::byte* data, std::uint64_t bytes) {
  constexpr std::uint64_t worth_a_thread = std::uint64_t{64} << 20;
  const int threads = bytes < 2 * worth_a_thread ? 1 : static_cast<int>(allowed_cpus().size());
  in_parallel(bytes, threads, worth_a_thread,
              [data](std::uint64_t begin, std::uint64_t end) { std::memset(data + begin, 0, end - begin); });
}

}  // namespace

GuardedMemory::~GuardedMemory() {
  release();
}

void GuardedMemory::release() {
  if (mapping_ != nullptr) munmap(mapping_, mapped_);
  mapping_ = data_ = nullptr;
  mapped_ = room_ = usable_ = 0;
  arrays_.clear();
  huge_page_share_.reset();
}

void GuardedMemory::reserve(std::uint64_t bytes, int arrays) {
  const std::uint64_t wanted = bytes + kPage + static_cast<std::uint64_t>(arrays + 1) * (kBetween + 64);
  const bool huge = wanted >= kLeastForHuge;
  const std::uint64_t page = huge ? kHugePage : system_page();
  const std::uint64_t needed = round_up(wanted, page);
  if (needed < bytes) throw std::bad_alloc();
  if (room_ < needed) {
    release();
    mapped_ = needed + 2 * kFaulting + kHugePage;
    void* const mapping = mmap(nullptr, mapped_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (mapping == MAP_FAILED) {
      mapped_ = 0;
      throw std::bad_alloc();
    }
    mapping_ = static_cast<std::byte*>(mapping);
    const auto address = reinterpret_cast<std::uintptr_t>(mapping_) + kFaulting;
    data_ = mapping_ + kFaulting + (round_up(address, kHugePage) - address);
    if (mprotect(data_, needed, PROT_READ | PROT_WRITE) != 0) {
      release();
      throw std::bad_alloc();
    }
    madvise(data_, needed, huge ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
    touch(data_, needed);
    room_ = usable_ = needed;
    if (huge) huge_page_share_ = share_in_huge_pages(data_, needed);
  }
  // A larger mapping keeps its pages, but beyond these arrays it faults. In whole huge pages, which would be split.
  const std::uint64_t usable = std::min(room_, round_up(needed, room_ >= kLeastForHuge ? kHugePage : system_page()));
  if (usable > usable_) mprotect(data_ + usable_, usable - usable_, PROT_READ | PROT_WRITE);
  if (usable < room_) mprotect(data_ + usable, room_ - usable, PROT_NONE);
  usable_ = usable;
  arrays_.clear();
}

void GuardedMemory::clear(std::uint64_t offset) {
  arrays_.clear();
  next_ = std::max(offset % kPage / 64 * 64, kBetween);
}

std::byte* GuardedMemory::add(std::uint64_t bytes) {
  const std::uint64_t begin = next_;
  if (begin + bytes + kBetween > usable_) throw std::bad_alloc();  // reserve() was for less
  arrays_.push_back({begin, begin + bytes});
  next_ = round_up(begin + bytes + kBetween, 64);
  return data_ + begin;
}

std::vector<GuardedMemory::Zone> GuardedMemory::zones() const {
  std::vector<Zone> zones;
  if (arrays_.empty()) return zones;
  std::uint64_t begin = 0;
  for (const Array& array : arrays_) {
    zones.push_back({begin, array.begin});
    begin = array.end;
  }
  zones.push_back({begin, std::min(usable_, begin + kAtEnds)});
  return zones;
}

void GuardedMemory::paint() {
  for (const Zone& zone : zones()) std::memset(data_ + zone.begin, static_cast<int>(kPaint), zone.end - zone.begin);
}

std::optional<std::string> GuardedMemory::damage() const {
  const std::vector<Zone> all = zones();
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::byte* const begin = data_ + all[i].begin;
    const std::byte* const end = data_ + all[i].end;
    // All bytes are equal if each is equal to the next: a comparison at the speed of memory.
    const auto size = static_cast<std::size_t>(end - begin);
    if (*begin == kPaint && std::memcmp(begin, begin + 1, size - 1) == 0) continue;
    const std::byte* const changed = std::find_if(begin, end, [](std::byte b) { return b != kPaint; });
    // A zone between two arrays counts as behind the first: writing past the end is the commoner fault.
    if (i == 0) return fmt::format("{} bytes before its array", end - changed);
    return fmt::format("{} bytes after its array", changed - begin);
  }
  return std::nullopt;
}

bool GuardedMemory::holds(const void* address) const {
  const auto* const place = static_cast<const std::byte*>(address);
  // An array of no bytes holds its begin: a sort of no elements that returns it sorted in place.
  return std::ranges::any_of(arrays_, [&](const Array& array) {
    return place >= data_ + array.begin && place < data_ + std::max(array.end, array.begin + 1);
  });
}

}  // namespace sortlab
