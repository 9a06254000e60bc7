"""A library that makes system calls fail, for systems that are not here: file systems without locks, without fsync or
full, and containers that refuse to bind threads."""

import os
import shutil
import subprocess

import pytest

_SOURCE = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

/* SORTLAB_REFUSE=call:errno,call:errno */
static int refused(const char* call) {
  const char* list = getenv("SORTLAB_REFUSE"); /* workers are passed it */
  for (; list != NULL && *list != 0; list = strchr(list, ',') ? strchr(list, ',') + 1 : NULL) {
    size_t length = strlen(call);
    if (strncmp(list, call, length) == 0 && list[length] == ':') {
      errno = atoi(list + length + 1);
      return 1;
    }
  }
  return 0;
}

#define PASS(name, type, parameters, arguments)                                   \
  type name parameters {                                                          \
    if (refused(#name)) return -1;                                                \
    type (*real) parameters = (type(*) parameters)dlsym(RTLD_NEXT, #name);        \
    return real arguments;                                                        \
  }
PASS(flock, int, (int file, int how), (file, how))
PASS(fsync, int, (int file), (file))
PASS(fdatasync, int, (int file), (file))
PASS(fchmod, int, (int file, mode_t mode), (file, mode))
PASS(fchown, int, (int file, uid_t user, gid_t group), (file, user, group))
PASS(sched_setaffinity, int, (pid_t process, size_t bytes, const cpu_set_t* set), (process, bytes, set))
PASS(sched_getaffinity, int, (pid_t process, size_t bytes, cpu_set_t* set), (process, bytes, set))
PASS(rename, int, (const char* from, const char* to), (from, to))

/* Writes to plain files that grow beyond FULL_AT bytes. */
ssize_t write(int file, const void* bytes, size_t count) {
  const char* full = getenv("FULL_AT");
  struct stat facts;
  if (full != NULL && fstat(file, &facts) == 0 && S_ISREG(facts.st_mode)) {
    off_t room = atoll(full) - lseek(file, 0, SEEK_CUR);
    if (room <= 0) {
      errno = ENOSPC;
      return -1;
    }
    if ((size_t)room < count) count = (size_t)room;
  }
  ssize_t (*real)(int, const void*, size_t) = (ssize_t(*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write");
  return real(file, bytes, count);
}
"""


def refusing_library(folder):
    """Builds the library and returns its path."""
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler: faults of file systems are not tried")
    source, library = folder / "refuse.c", folder / "refuse.so"
    source.write_text(_SOURCE)
    subprocess.run([compiler, "-shared", "-fPIC", "-O1", source, "-o", library, "-ldl"], check=True)
    return library


def refusing(library, *calls, full_at=None):
    """The environment of a process whose calls fail: ("flock:38",)."""
    made = {**os.environ, "LD_PRELOAD": str(library), "SORTLAB_REFUSE": ",".join(calls)}
    return made if full_at is None else {**made, "FULL_AT": str(full_at)}
