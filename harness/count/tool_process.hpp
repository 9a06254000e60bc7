// Runs a tool in bounded time.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sortlab {

/// Runs the command `words` and returns its output, or nullopt if it takes more than 20 s.
std::optional<std::string> capture_output(const std::vector<std::string>& words);

struct ToolRun {
  std::string output;   ///< output of the tool
  bool started = true;  ///< false: the program cannot be started
  bool too_long = false;
};

/// Runs the command `words` in its own process group, with `environment` added to ours. `too_long` is polled several
/// times a second; once true, the process gets SIGTERM, and is killed 20 s later.
ToolRun run_tool(const std::vector<std::string>& words, const std::function<bool()>& too_long,
                 const std::vector<std::pair<std::string, std::string>>& environment = {});

}  // namespace sortlab
