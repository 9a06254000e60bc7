# Writes the facts that are known only while building: -D SOURCE -D OUTPUT and the facts from CMakeLists.txt.
# Runs in every build, since a commit changes no source. Writes only if something changed, so that nothing is rebuilt.
function(git result)
  execute_process(COMMAND git -c safe.directory=${SOURCE} -C ${SOURCE} ${ARGN} OUTPUT_VARIABLE out ERROR_QUIET
                  OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  set(${result} "${out}" PARENT_SCOPE)
  set(status "${status}" PARENT_SCOPE)
endfunction()

set(commit "")
set(dirty false)
git(prefix rev-parse --show-prefix)
# A source archive that is unpacked inside another repository must not take that repository's commit.
if(status STREQUAL "0" AND prefix STREQUAL "")
  git(commit rev-parse HEAD)
  if(NOT status STREQUAL "0")
    set(commit "")
  endif()
  git(changes status --porcelain -- CMakeLists.txt CMakePresets.json core algorithms generators harness models)
  if(NOT changes STREQUAL "")
    set(dirty true)
  endif()
endif()

# `git archive` writes its commit here; whether files were changed since is then unknown.
set(archived false)
file(STRINGS ${SOURCE}/harness/machine/archived_commit.txt archived_commit LIMIT_COUNT 1)
if(commit STREQUAL "" AND archived_commit MATCHES "^[0-9a-f]+$")
  set(commit "${archived_commit}")
  set(archived true)
endif()

set(facts "// Written by harness/machine/build_facts.cmake.
#pragma once

namespace sortlab::build_facts {
inline constexpr const char* version = R\"(${VERSION})\";
inline constexpr const char* commit = R\"(${commit})\";
inline constexpr bool dirty = ${dirty};
inline constexpr bool archived = ${archived};
inline constexpr const char* compiler = R\"(${COMPILER})\";
inline constexpr const char* flags = R\"(${FLAGS})\";
inline constexpr const char* build_type = R\"(${BUILD_TYPE})\";
inline constexpr const char* benchmark_version = R\"(${BENCHMARK_VERSION})\";
inline constexpr const char* cuda_version = R\"(${CUDA_VERSION})\";
inline constexpr const char* cuda_architectures = R\"(${CUDA_ARCHITECTURES})\";
inline constexpr const char* cub_version = R\"(${CUB_VERSION})\";
}  // namespace sortlab::build_facts
")
set(before "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} before)
endif()
if(NOT facts STREQUAL before)
  file(WRITE ${OUTPUT} "${facts}")
endif()
