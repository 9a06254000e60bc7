#include "harness/count/counted_sorts.hpp"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "core/affinity.hpp"
#include "harness/cell/case_json.hpp"
#include "harness/cell/problem.hpp"
#include "harness/cell/result.hpp"
#include "harness/count/phase_counts.hpp"
#include "harness/machine/processor.hpp"
#include "harness/measure/testbed.hpp"
#include "harness/plan/blocks.hpp"

namespace sortlab {
namespace {

using nlohmann::ordered_json;

class CountedSorts {
 public:
  CountedSorts(const std::string& answers, int passes, std::unique_ptr<Counters> counters)
      : answers_(answers, std::ios::app), passes_(passes) {
    worker_.cpus = allowed_cpus();
    worker_.counters.counters = std::move(counters);
  }

  /// Sorts cells on one input. False if the device is lost.
  bool sort(const Block& block) {
    std::unique_ptr<Testbed> testbed;
    for (const Cell& cell : block) {
      tell({{"sort", next_}, {"event", "begin"}});
      ordered_json answer{{"sort", next_}, {"event", "end"}, {"status", to_name(Status::failed)}};
      bool lost = false;
      try {
        // The tool need not support all instructions, so the sort may not run here although it runs in the parent.
        if (const auto because = refusal(cell.subject)) throw BadInput("declined: " + *because);
        if (!testbed) testbed = make_testbed(block);
        sort(cell.subject, *testbed, answer);
      } catch (const std::bad_alloc&) {
        answer["reason"] = "out of memory";
      } catch (const TestbedLost& error) {
        answer["reason"] = error.what();
        lost = true;
      } catch (const BadInput& error) {
        answer["reason"] = error.what();
      } catch (const std::exception& error) {
        answer["reason"] = fmt::format("threw: {}", error.what());
      }
      tell(answer);
      if (lost) return false;
      ++next_;
    }
    return true;
  }

 private:
  static bool on_host(const Case& c) { return c.residency == Residency::host; }

  std::unique_ptr<Testbed> make_testbed(const Block& block) {
    if (!on_host(block.front().subject)) return make_device_testbed(block.front().subject);
    std::set<Layout> layouts;
    for (const Cell& cell : block) layouts.insert(cell.subject.layout);
    return make_host_testbed(block.front().subject, {layouts.begin(), layouts.end()}, worker_);
  }

  void sort(const Case& c, Testbed& testbed, ordered_json& answer) const {
    const auto entropy = testbed.entropy_bits();
    answer["entropy_bits"] = entropy ? ordered_json(*entropy) : ordered_json();
    const auto device = testbed.device();
    answer["device"] = device ? to_json(*device) : ordered_json();
    const auto runnable = testbed.prepare(c);
    answer["scratch_bytes"] = runnable->scratch_bytes();
    // The clock is read as often as in an earlier sort, whose spans tell the pass that begins at each reading.
    std::vector<CountedSpan> spans;
    const bool counts_itself =
        worker_.counters.counters != nullptr;  // the counters would include the set-up of first calls
    if ((passes_ > 0 && !on_host(c)) || counts_itself)
      spans = counted_spans(*testbed.profiled_sort(c, *runnable, "", [](std::int64_t) { return false; }));
    const auto profiled = testbed.profiled_sort(c, *runnable, sort_label(next_), [&](std::int64_t reading) {
      const CountedSpan* const span = innermost(spans, reading);
      return span == nullptr || span->pass < passes_;
    });
    if (on_host(c)) {
      answer["simd"] = processor().simd;
      answer["readings"] = profiled->readings;
      answer["between"] = profiled->between;
    }
    answer["spans"] = ordered_json::array();
    for (const CountedSpan& span : counted_spans(*profiled)) {
      answer["spans"].push_back({span.name, span.pass, span.begin, span.end});
    }
    const Verification verification = testbed.verify(c, *runnable, {.input = 0, .output = profiled->output});
    answer["verification"] = to_json(verification);
    answer["status"] = to_name(verification.ok() ? Status::ok : Status::wrong);
    if (!verification.ok()) answer["reason"] = verification.reason;
  }

  static std::vector<CountedSpan> counted_spans(const ProfiledSort& sort) {
    std::vector<CountedSpan> spans;
    for (const PhaseSpan& span : sort.spans) {
      spans.push_back({.name = std::string{span.name}, .pass = span.pass, .begin = span.begin_ns, .end = span.end_ns});
    }
    return spans;
  }

  void tell(const ordered_json& answer) {
    answers_ << answer.dump(-1, ' ', false, ordered_json::error_handler_t::replace) << '\n' << std::flush;
  }

  std::ofstream answers_;
  int passes_;
  WorkerResources worker_{};
  std::size_t next_ = 0;
};

}  // namespace

std::string sort_label(std::size_t index) {
  return fmt::format("sortlab_{}", index);
}

void write_task(const std::vector<Cell>& cells, const std::string& path) {
  std::ofstream file{path, std::ios::trunc};
  for (const Cell& cell : cells) file << message_from_case(cell.subject).dump() << '\n';
  file.close();
  if (!file) throw std::runtime_error(fmt::format("cannot write '{}'", path));
}

int counted_sorts(const std::string& task, const std::string& answers, int passes, std::unique_ptr<Counters> counters) {
  std::ifstream file{task};
  if (!file) throw BadInput(fmt::format("task: '{}' cannot be read", task));
  std::vector<Cell> cells;
  for (std::string line; std::getline(file, line);) {
    const ordered_json json = ordered_json::parse(line, nullptr, false);
    if (json.is_discarded()) throw BadInput(fmt::format("task: '{}' is not JSON", task));
    cells.push_back({.subject = case_from_message(json, task), .protocol = {}});
  }
  CountedSorts sorts(answers, passes, std::move(counters));
  for (const Block& block : group_into_blocks(std::move(cells))) {
    if (!sorts.sort(block)) std::_Exit(0);  // no destructor may touch the device again
  }
  return 0;
}

}  // namespace sortlab
