// Memory for which huge pages were requested, by who made it.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/huge_pages.hpp"
#include "harness/cell/timed_sample.hpp"

namespace sortlab {

/// Mappings of Pages that some work has made: while a cell's sort is prepared or runs, its scratch memory.
class ScratchPages {
 public:
  /// While it lives, mappings that are made count as this work's, whichever thread makes them.
  class Watch {
   public:
    explicit Watch(ScratchPages& scratch) : scratch_(scratch), before_(huge_mappings_made()) {}
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;
    ~Watch() {
      const std::uint64_t now = huge_mappings_made();
      if (now != before_) scratch_.add({before_, now});
    }

   private:
    ScratchPages& scratch_;
    std::uint64_t before_;
  };

  /// Compares the setting of huge pages with that of the run's record (BlockTask::huge_pages), and this memory and the
  /// `arrays` that the sort was given, of which a share lies in huge pages, with what it promises.
  void judge(const std::string& recorded, std::optional<double> arrays, Disturbance& disturbance) {
    if (recorded.empty()) return;
    disturbance.huge_pages_changed = huge_page_setting() != recorded;
    if (!gives_huge_pages(recorded)) return;
    const std::optional<double> own = share();
    disturbance.huge_page_share = arrays && own ? std::min(arrays, own) : (arrays ? arrays : own);
  }

  bool has_any() const { return !made_.empty(); }

  /// The share of them that lies in huge pages. Asks the system once, and again only when more were made.
  std::optional<double> share() {
    if (!is_asked_) share_ = share_in_huge_pages(made_);
    is_asked_ = true;
    return share_;
  }

 private:
  void add(MadeMappings more) {
    made_.push_back(more);
    is_asked_ = false;
  }

  std::vector<MadeMappings> made_{};
  bool is_asked_ = true;
  std::optional<double> share_{};
};

}  // namespace sortlab
