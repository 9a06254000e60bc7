// Runs a tool in bounded time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sortlab {

/// What `words` print, or nothing if that takes more than 20 s.
std::optional<std::string> output_of(const std::vector<std::string>& words);

struct ToolRun {
  std::string output;   ///< what it printed
  bool started = true;  ///< false: the program cannot be started
  bool too_long = false;
};

/// Runs `words` in a process group of their own, with `environment` added to ours. `too_long` is polled several times a
/// second; once true, the process gets SIGTERM, and is killed 20 s later.
ToolRun run_tool(const std::vector<std::string>& words, const std::function<bool()>& too_long,
                 const std::vector<std::pair<std::string, std::string>>& environment = {});

}  // namespace sortlab
