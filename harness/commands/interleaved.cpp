#include "harness/commands/interleaved.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>

#include <system_error>
#include <utility>
#include <vector>

#include "core/bad_input.hpp"
#include "core/child_process.hpp"
#include "core/descriptor.hpp"
#include "core/printable.hpp"
#include "core/read_file.hpp"
#include "harness/measure/turnstile.hpp"
#include "harness/run/session.hpp"

namespace sortlab {
namespace {

namespace fs = std::filesystem;

/// The folder for the records, which must be new if the user named it.
fs::path records_folder(const InterleavedRun& asked, const TemporaryFolder& temporary) {
  if (asked.out.empty()) return temporary.path();
  std::error_code error;
  if (!fs::create_directories(asked.out, error)) {
    throw BadInput(fmt::format("--out: {}: {}", asked.out, error ? error.message() : "exists; name a new folder"));
  }
  return asked.out;
}

/// One program's `run`, which writes to `log` what it tells.
ChildProcess start(const std::string& program, int side, const InterleavedRun& asked, const fs::path& turnstile,
                   const fs::path& records, const Descriptor& log) {
  std::vector<std::string> words{program,
                                 "run",
                                 asked.config,
                                 "--out",
                                 records,
                                 "--interleaved",
                                 fmt::format("{}:{}", side, turnstile.string()),
                                 "--interleaved-samples",
                                 fmt::format("{}", asked.samples),
                                 "--interleaved-processes",
                                 fmt::format("{}", asked.processes)};
  if (!asked.filter.empty()) words.insert(words.end(), {"--filter", asked.filter});
  try {
    return ChildProcess(ChildSetup{.words = std::move(words),
                                   .descriptors = {{log.get(), STDOUT_FILENO}, {log.get(), STDERR_FILENO}},
                                   .death_signal = SIGTERM});
  } catch (const std::system_error& error) {
    throw BadInput(fmt::format("{}: {}", program, error.code().message()));
  }
}

struct Side {
  std::string program;
  fs::path log;
  ChildProcess child;
};

std::string last_line(const fs::path& file) {
  std::string text = read_file(file).value_or("");
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return printable(text.substr(text.rfind('\n') + 1));
}

/// Throws BadInput if the program did not end as `run` does: status 1 means that a cell has no result.
void check_end(const Side& side, int status) {
  if (WIFEXITED(status) && WEXITSTATUS(status) <= 1) return;
  const std::string how =
      WIFEXITED(status) ? fmt::format("status {}", WEXITSTATUS(status)) : fmt::format("signal {}", WTERMSIG(status));
  throw BadInput(fmt::format("{} run --interleaved: ended with {}: {}", side.program, how, last_line(side.log)));
}

/// Waits for both; the first that fails, or a second signal, ends the other, by its destructor. One that ends before
/// the other withdraws from the turnstile.
void wait_for(std::vector<Side>& sides, const fs::path& turnstile, const StopSignals& stop) {
  std::vector<Side*> running;
  for (Side& side : sides) running.push_back(&side);
  bool asked_to_end = false;
  while (!running.empty() && !stop.insists()) {
    if (stop.caught() != 0 && !std::exchange(asked_to_end, true)) {
      for (const Side* side : running) side->child.kill(SIGTERM);
    }
    std::erase_if(running, [&](Side* side) {
      const auto status = side->child.wait_for(std::chrono::milliseconds{200});
      if (!status) return false;
      if (stop.caught() == 0) check_end(*side, *status);
      Turnstile(static_cast<int>(side - sides.data()), turnstile).withdraw();
      return true;
    });
  }
}

}  // namespace

InterleavedRecords measure_interleaved(const std::string& program_a, const std::string& program_b,
                                       const InterleavedRun& asked, const StopSignals& stop) {
  auto temporary = std::make_unique<TemporaryFolder>();
  const fs::path folder = records_folder(asked, *temporary);
  const fs::path turnstile = *temporary / "turnstile";
  InterleavedRecords records{.a = folder / "a.jsonl", .b = folder / "b.jsonl", .folder = std::move(temporary)};
  std::vector<Side> sides;
  for (const auto& [program, path] : {std::pair{program_a, records.a}, {program_b, records.b}}) {
    const fs::path log = *records.folder / fmt::format("{}.log", sides.size());
    const Descriptor file{open(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600), log.c_str()};
    sides.push_back({program, log, start(program, static_cast<int>(sides.size()), asked, turnstile, path, file)});
  }
  wait_for(sides, turnstile, stop);
  return records;
}

std::string kept_after_signal(const InterleavedRun& asked) {
  if (asked.out.empty()) return fmt::format("nothing is kept; `{}` starts over", command_text());
  const std::string a = fs::path{asked.out} / "a.jsonl";
  const std::string b = fs::path{asked.out} / "b.jsonl";
  const auto is_measured = [](const std::string& file) {
    return read_file(file).value_or("").find(R"("kind":"measurement")") != std::string::npos;
  };
  if (!is_measured(a) || !is_measured(b)) {
    return fmt::format("{} holds no cell of both; the same command with another --out starts over", asked.out);
  }
  return fmt::format("what {} holds is kept; `{}` compares it, and the same command with another --out starts over",
                     asked.out, command_text({command_line().front(), "compare", a, b}));
}

}  // namespace sortlab
