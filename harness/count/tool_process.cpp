#include "harness/count/tool_process.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "harness/count/temporary_folder.hpp"

namespace sortlab {
namespace {

using namespace std::chrono_literals;
using Environment = std::vector<std::pair<std::string, std::string>>;

[[noreturn]] void become(const std::vector<std::string>& words, const std::string& output,
                         const Environment& environment) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  const int out = open(output.c_str(), O_CREAT | O_WRONLY | O_TRUNC, 0600);
  dup2(out, STDOUT_FILENO);
  dup2(out, STDERR_FILENO);
  for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  execv(arguments.front(), arguments.data());
  _exit(127);
}

/// Starts `words` in a process group of its own, its output in a file.
pid_t start(const std::vector<std::string>& words, const std::string& output, const Environment& environment = {}) {
  const pid_t child = fork();
  if (child == 0) become(words, output, environment);
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork of " + words.front());
  setpgid(child, child);
  return child;
}

/// Waits up to `limit`; whether the child has ended, with its status.
bool ended(pid_t child, int& status, std::chrono::milliseconds limit) {
  const auto until = std::chrono::steady_clock::now() + limit;
  while (true) {
    if (waitpid(child, &status, WNOHANG) == child) return true;
    if (std::chrono::steady_clock::now() >= until) return false;
    usleep(20'000);
  }
}

std::string read_file(const std::string& path) {
  std::ifstream file{path, std::ios::binary};
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::optional<std::string> capture_output(const std::vector<std::string>& words) {
  const TemporaryFolder folder;
  const std::string output = folder.file("output");
  const pid_t child = start(words, output);
  int status = 0;
  if (ended(child, status, 20s)) return read_file(output);
  kill(-child, SIGKILL);
  waitpid(child, &status, 0);
  return std::nullopt;
}

ToolRun run_tool(const std::vector<std::string>& words, const std::function<bool()>& too_long,
                 const Environment& environment) {
  const TemporaryFolder folder;
  const std::string output = folder.file("output");
  const pid_t child = start(words, output, environment);
  ToolRun run;
  int status = 0;
  while (!ended(child, status, 200ms)) {
    if (!too_long()) continue;
    // On SIGTERM the tool still writes its results so far.
    run.too_long = true;
    kill(child, SIGTERM);
    if (!ended(child, status, 20s)) {
      kill(-child, SIGKILL);
      waitpid(child, &status, 0);
    }
    break;
  }
  kill(-child, SIGKILL);  // its orphans, if any
  run.started = !WIFEXITED(status) || WEXITSTATUS(status) != 127;
  run.output = read_file(output);
  return run;
}

}  // namespace sortlab
