#include "core/pages.hpp"

#include <sys/mman.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include "core/affinity.hpp"
#include "core/huge_pages.hpp"
#include "core/parallel.hpp"

namespace sortlab {
namespace {

constexpr std::size_t kSmallPage = std::size_t{4} << 10;
constexpr std::size_t kHugePage = std::size_t{2} << 20;
/// Small pages map to sets of the L2 cache differently in every mapping, so that an array of the cache's size sorts
/// faster or slower by chance. A huge page always maps alike.
constexpr std::size_t kLeastForHuge = kHugePage / 8;

/// One thread touches about 2 GB a second, and a result of 32 GB would take longer to touch than to sort. Threads
/// inherit their creator's binding, so a sort bound to one thread has its pages touched there.
void touch(std::byte* data, std::size_t bytes) {
  constexpr std::size_t worth_a_thread = std::size_t{64} << 20;
  const int threads = bytes < 2 * worth_a_thread ? 1 : static_cast<int>(allowed_cpus().size());
  in_parallel(bytes, threads, worth_a_thread,
              [data](std::size_t begin, std::size_t end) { std::memset(data + begin, 0, end - begin); });
}

struct Memory {
  std::uintptr_t begin = 0;
  std::size_t bytes = 0;
};

/// A mapping that requested huge pages.
struct HugeMapping {
  Memory memory;
  std::uint64_t number = 0;  ///< mappings made before
};

struct HugeMappings {
  std::mutex guard;
  std::vector<HugeMapping> present{};
  std::uint64_t made = 0;
};

/// The mappings of this process. Their list has room in advance, since a sort's calls of malloc are counted.
HugeMappings& mappings() {
  static HugeMappings& all = *[] {  // Pages may be destroyed after all static objects
    auto* made = new HugeMappings;
    made->present.reserve(1024);
    return made;
  }();
  return all;
}

void enter(const std::byte* data, std::size_t bytes) {
  const std::lock_guard lock{mappings().guard};
  mappings().present.push_back({{reinterpret_cast<std::uintptr_t>(data), bytes}, mappings().made++});
}

void leave(const std::byte* data) {
  const std::lock_guard lock{mappings().guard};
  std::vector<HugeMapping>& present = mappings().present;
  const auto begin = reinterpret_cast<std::uintptr_t>(data);
  const auto found = std::ranges::find_if(present, [&](const auto& mapping) { return mapping.memory.begin == begin; });
  if (found == present.end()) return;
  *found = present.back();
  present.pop_back();
}

/// The share of the memory that lies in huge pages, from one reading of /proc/self/smaps.
std::optional<double> huge_page_share(std::span<const Memory> memory) {
  std::ifstream file{"/proc/self/smaps"};
  std::optional<double> in_huge_pages;
  double overlap = 0;  // share of the present mapping that belongs to this memory
  for (std::string line; std::getline(file, line);) {
    std::istringstream words{line};
    if (line.compare(0, 13, "AnonHugePages") == 0) {
      std::string name;
      double kib = 0;
      words >> name >> kib;
      if (overlap > 0) in_huge_pages = in_huge_pages.value_or(0) + overlap * 1024 * kib;
      continue;
    }
    std::uintptr_t from = 0;
    std::uintptr_t to = 0;
    char dash = 0;
    words >> std::hex >> from >> dash >> to;
    if (!words || dash != '-') continue;  // a mapping begins with "7f00a000-7f00b000 rw-p …"
    overlap = 0;
    for (const Memory& one : memory) {
      const std::uintptr_t left = std::max(from, one.begin);
      const std::uintptr_t right = std::min(to, one.begin + one.bytes);
      if (left < right) overlap += static_cast<double>(right - left) / static_cast<double>(to - from);
    }
  }
  if (!in_huge_pages) return std::nullopt;
  double bytes = 0;
  for (const Memory& one : memory) bytes += static_cast<double>(one.bytes);
  return std::min(1.0, *in_huge_pages / bytes);
}

}  // namespace

std::string huge_page_setting() {
  if (prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0) == 1) return "disabled";
  std::ifstream file{"/sys/kernel/mm/transparent_hugepage/enabled"};  // always [madvise] never
  const std::string modes{std::istreambuf_iterator<char>{file}, {}};
  const std::size_t open = modes.find('[');
  return open == std::string::npos ? "" : modes.substr(open + 1, modes.find(']', open) - open - 1);
}

bool gives_huge_pages(std::string_view setting) {
  return setting == "always" || setting == "madvise";
}

bool huge_pages_are_given() {
  return gives_huge_pages(huge_page_setting());
}

std::optional<double> share_in_huge_pages(const void* begin, std::size_t bytes) {
  const Memory one{reinterpret_cast<std::uintptr_t>(begin), bytes};
  return huge_page_share({&one, 1});
}

std::uint64_t huge_mappings_made() {
  const std::lock_guard lock{mappings().guard};
  return mappings().made;
}

std::optional<double> share_in_huge_pages(std::span<const MadeMappings> made) {
  std::vector<Memory> memory;
  {
    const std::lock_guard lock{mappings().guard};
    for (const HugeMapping& mapping : mappings().present) {
      const auto holds = [&](const MadeMappings& of) { return of.first <= mapping.number && mapping.number < of.last; };
      if (std::ranges::any_of(made, holds)) memory.push_back(mapping.memory);
    }
  }
  return memory.empty() ? std::nullopt : huge_page_share(memory);
}

Pages::Pages(std::size_t bytes, PageKind kind) : size_(bytes) {
  if (bytes == 0) return;
  const bool huge = kind == PageKind::huge && bytes >= kLeastForHuge;
  const std::size_t page = huge ? kHugePage : kSmallPage;
  if (bytes > SIZE_MAX - 2 * page) throw std::bad_alloc();
  const std::size_t whole = (bytes + page - 1) / page * page;
  mapped_ = whole + page - kSmallPage;  // room to begin at a page's boundary
  mapping_ = mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapping_ == MAP_FAILED) {
    mapping_ = nullptr;
    throw std::bad_alloc();
  }
  const auto address = reinterpret_cast<std::uintptr_t>(mapping_);
  data_ = reinterpret_cast<std::byte*>((address + page - 1) / page * page);
  // Advice only: a kernel without transparent huge pages gives small ones, which the environment record says.
  if (huge) madvise(data_, whole, MADV_HUGEPAGE);
  // A kernel set to give huge pages always would give them unasked.
  if (kind == PageKind::small) madvise(data_, whole, MADV_NOHUGEPAGE);
  touch(data_, whole);
  if (huge) enter(data_, whole);
}

Pages::~Pages() {
  if (mapping_ == nullptr) return;
  leave(data_);
  munmap(mapping_, mapped_);
}

}  // namespace sortlab
