// This file runs before the constructors of all libraries, those of sanitizers and of the C++ library among them: it
// may call nothing but system calls, and is compiled without sanitizers.
#include "harness/machine/clean_start.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <climits>

namespace sortlab {
namespace {

/// Read by Google Benchmark; by libgomp and LLVM's OpenMP; by oneTBB, MKL and IPP, NumPy and its libraries, ParlayLib,
/// hwloc; by the C and C++ libraries and other allocators; by CUDA.
constexpr const char* kDropped[] = {
    "BENCHMARK_*", "OMP_*",      "GOMP_*",         "KMP_*",       "LIBOMP_*",   "TBB_*",      "MKL_*",
    "IPP_*",       "OPENBLAS_*", "GOTO_*",         "BLIS_*",      "NPY_*",      "NUMEXPR_*",  "PARLAY_*",
    "HWLOC_*",     "GLIBCXX_*",  "GLIBC_TUNABLES", "MALLOC_*",    "TCMALLOC_*", "MIMALLOC_*", "LD_AUDIT",
    "LD_DEBUG",    "LD_PROFILE", "LD_HWCAP_MASK",  "LD_BIND_NOT", "CUDA_*"};

/// Exceptions: places of devices and their files, and the settings of a site or a profiler for them.
constexpr const char* kKept[] = {
    "CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER",    "CUDA_HOME", "CUDA_PATH", "CUDA_ROOT", "CUDA_VERSION", "CUDA_MPS_*",
    "CUDA_CACHE_PATH",      "CUDA_INJECTION64_PATH"};

/// The C library and the loader have read these before this file runs: a new start of the program forgets them.
constexpr const char* kReadBefore[] = {"GLIBC_TUNABLES", "MALLOC_*", "LD_*"};

template <unsigned long count>
bool is_among(const char* const (&patterns)[count], const char* variable) {
  for (const char* const pattern : patterns) {
    if (is_named_by(pattern, variable)) return true;
  }
  return false;
}

bool is_equal(const char* a, const char* b) {
  while (*a != '\0' && *a == *b) {
    ++a;
    ++b;
  }
  return *a == *b;
}

/// Families of variables that a profiler sets for the program that Sortlab starts under it.
constexpr const char* kOfProfilers[] = {"CUDA_*", "LD_*"};

/// The text "SORTLAB_DROPPED=NAME,NAME" of the variables that were dropped.
class Names {
 public:
  constexpr Names() {
    append(kDroppedVariable);
    append("=");
  }
  /// Adds the name of a variable, or a list of names; "..." where there is no more room.
  void add(const char* variable) {
    if (is_full_) return;
    const unsigned long before = size_;
    if (any_) append(",");
    any_ = true;
    for (; *variable != '\0' && *variable != '='; ++variable) append(*variable);
    is_full_ = size_ == kRoom;
    if (!is_full_) return;
    for (size_ = before; text_[size_] != '\0'; ++size_) text_[size_] = '\0';
    size_ = before;
    append(",...");
  }
  char* text() { return text_; }

 private:
  constexpr void append(char c) {
    if (size_ < kRoom) text_[size_++] = c;
  }
  constexpr void append(const char* text) {
    for (; *text != '\0'; ++text) append(*text);
  }
  static constexpr unsigned long kRoom = 8192;
  char text_[kRoom + 1] = {};
  unsigned long size_ = 0;
  bool any_ = false;
  bool is_full_ = false;
};

/// The value in "NAME=value".
const char* find_value(const char* variable) {
  while (*variable != '\0' && *variable != '=') ++variable;
  return *variable == '=' ? variable + 1 : variable;
}

/// Raises a limit of the stack that the constructors of libraries would exceed. raise_limits() names one that stays.
void raise_stack_limit() {
  constexpr rlim_t usual = 8 << 20;
  rlimit limit{};
  if (getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur >= usual) return;
  limit.rlim_cur = limit.rlim_max < usual ? limit.rlim_max : usual;
  setrlimit(RLIMIT_STACK, &limit);
}

void start_clean(int, char** arguments, char** environment) {
  raise_stack_limit();
  static constinit Names names;
  // A process that another one of Sortlab started has the names of what that one dropped, and adds its own: a shell in
  // between may have set others.
  const char* earlier = nullptr;
  for (char** variable = environment; *variable != nullptr; ++variable) {
    if (is_named_by(kDroppedVariable, *variable)) earlier = find_value(*variable);
  }
  if (earlier != nullptr && *earlier != '\0') names.add(earlier);
  const auto is_dropped = [&](const char* variable) {
    return is_dropped_at_start(variable) && (earlier == nullptr || !is_among(kOfProfilers, variable));
  };
  bool any = false;
  bool was_read = false;
  for (char** variable = environment; *variable != nullptr; ++variable) {
    if (!is_dropped(*variable)) continue;
    any = true;
    names.add(*variable);
    was_read = was_read || is_among(kReadBefore, *variable);
  }
  if (!any) return;
  char** kept = environment;
  char** place = nullptr;
  for (char** variable = environment; *variable != nullptr; ++variable) {
    if (!is_dropped(*variable) && !is_named_by(kDroppedVariable, *variable)) {
      *kept++ = *variable;
    } else if (place == nullptr) {
      place = kept++;
    }
  }
  *kept = nullptr;
  *place = names.text();
  if (!was_read) return;
  static char program[PATH_MAX + 1];
  const long size = readlink("/proc/self/exe", program, PATH_MAX);
  if (size <= 0 || size >= PATH_MAX) return;
  program[size] = '\0';
  execve(program, arguments, environment);
}

/// The loader calls it before the constructors of any library.
__attribute__((section(".preinit_array"), used)) void (*at_start)(int, char**, char**) = start_clean;

}  // namespace

bool is_named_by(const char* pattern, const char* variable) {
  for (; *pattern != '\0' && *pattern != '*'; ++pattern, ++variable) {
    if (*variable != *pattern) return false;
  }
  return *pattern == '*' || *variable == '\0' || *variable == '=';
}

bool is_dropped_at_start(const char* variable) {
  if (is_named_by("GLIBC_TUNABLES", variable)) {
    const char* value = variable;
    while (*value != '\0' && *value != '=') ++value;
    return *value == '\0' || !is_equal(value + 1, kWorkerTunables);
  }
  return is_among(kDropped, variable) && !is_among(kKept, variable);
}

}  // namespace sortlab
