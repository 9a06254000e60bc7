// Memory of merged results, shared by all sorters of a process.
#pragma once

#include <memory>
#include <mutex>

#include "core/pages.hpp"

namespace sortlab::heterogeneous {

/// Two arrays in host memory, touched in advance. A run prepares all cells of a block before it measures them in turn,
/// and verifies each result before the next sort. With one result array each, twenty cells of 6 GB would take all
/// memory of a host of 128 GiB, and most of a minute to touch it. So a sort overwrites the result of another sorter of
/// the process.
struct SharedResult {
  Pages keys;
  Pages values;

  /// Returns the array that other sorters hold if it is large enough, or a new one, which others will share. Throws
  /// std::bad_alloc.
  static std::shared_ptr<const SharedResult> of(std::size_t key_bytes, std::size_t value_bytes, PageKind pages) {
    static std::mutex choosing;
    static std::weak_ptr<const SharedResult> last;
    static PageKind last_pages{};
    const std::scoped_lock lock{choosing};
    auto held = last.lock();
    if (held && last_pages == pages && held->keys.size() == key_bytes && held->values.size() == value_bytes) {
      return held;
    }
    auto made = std::make_shared<SharedResult>();
    made->keys = Pages(key_bytes, pages);
    made->values = Pages(value_bytes, pages);
    last = made;
    last_pages = pages;
    return made;
  }
};

}  // namespace sortlab::heterogeneous
