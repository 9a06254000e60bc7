# Sorts by others, built from a folder of their sources if one is given. None of their code is here.

# Processor for which peers are compiled that choose at compile time: AVX2 on x86 (their own builds say native), elsewhere the
# compiler's baseline.
set(SORTLAB_X86 OFF)
set(SORTLAB_PEER_MARCH "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)$")
  set(SORTLAB_X86 ON)
  set(SORTLAB_PEER_MARCH -march=haswell -mcx16)
endif()

# sortlab_source_folder(<option> <what> <file>)
#
# Makes a cache variable for a folder of external sources, which must hold <file>. Empty means none. Sets
# <option>_COMMIT to the folder's git commit, or to nothing.
function(sortlab_source_folder option what file)
  set(${option} "" CACHE PATH "Source folder of ${what}")
  set(commit "")
  if(${option})
    if(NOT EXISTS "${${option}}/${file}")
      message(FATAL_ERROR "${option}=${${option}}: there is no ${file}; it must be the source folder of ${what}")
    endif()
    execute_process(COMMAND git -c safe.directory=* -C ${${option}} describe --always --tags --dirty
                    OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
    sortlab_compare_with_lock(${option} "${what}")
  endif()
  set(${option}_COMMIT "${commit}" PARENT_SCOPE)
endfunction()

# sortlab_compare_with_lock(<option> <what>): records for `sortlab doctor` if the sources of <what> are not those of
# peers.lock, or were changed.
function(sortlab_compare_with_lock option what)
  set(lock ${PROJECT_SOURCE_DIR}/peers.lock)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${lock})
  file(STRINGS ${lock} line REGEX "^${option} ")
  if(NOT line MATCHES " ([0-9a-f]+)$")
    return()
  endif()
  set(locked ${CMAKE_MATCH_1})
  execute_process(COMMAND git -c safe.directory=* -C ${${option}} rev-parse HEAD
                  OUTPUT_VARIABLE here ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  execute_process(COMMAND git -c safe.directory=* -C ${${option}} status --porcelain --untracked-files=no
                  OUTPUT_VARIABLE changes ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  set(built "")
  if(here STREQUAL "")
    set(built "sources without a commit")
  elseif(NOT here MATCHES "^${locked}")
    string(SUBSTRING ${here} 0 8 short)
    set(built "commit ${short}")
  elseif(NOT changes STREQUAL "")
    set(built "commit ${locked} with changes")
  endif()
  if(built)
    set_property(GLOBAL APPEND_STRING PROPERTY SORTLAB_OTHER_PEERS
                                               "    {\"${what}\", \"${built}\", \"${locked}\"},\n")
  endif()
endfunction()

# sortlab_not_built(<name> <what> <option> [DEVICE]): records that this build lacks the plug-in <name>, a sort on a
# device or on the host. `sortlab doctor` tells the user to set <option> to the source folder of <what>; an empty
# <option> says that <what> is for x86 processors only.
function(sortlab_not_built name what option)
  cmake_parse_arguments(PARSE_ARGV 3 arg "DEVICE" "" "")
  set(runs_on host)
  if(arg_DEVICE)
    set(runs_on device)
  endif()
  set_property(GLOBAL APPEND_STRING PROPERTY SORTLAB_NOT_BUILT
                                             "    {\"${name}\", \"${what}\", \"${option}\", Processor::${runs_on}},\n")
endfunction()

# sortlab_external(<name> <option> <what> <file> [DEVICE]): sortlab_source_folder for the plug-in <name>, which is not
# built without that folder.
macro(sortlab_external name option what file)
  sortlab_source_folder(${option} "${what}" ${file})
  if(NOT ${option})
    sortlab_not_built(${name} "${what}" ${option} ${ARGN})
  endif()
endmacro()

# sortlab_sealed_object(<name> FOLDER <dir> SOURCES <file>... [INCLUDE <dir>...] [OPTIONS <option>...])
#
# Compiles files that include external code from FOLDER, for sortlab_add_algorithm(... OBJECTS <name>_sealed). Every
# symbol outside namespace sortlab::external becomes local to the object. Otherwise the linker could use templates that
# were compiled for a newer processor in the rest of the program, which must also start on an older one. Two peers may
# also define the same names.
function(sortlab_sealed_object name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "FOLDER" "SOURCES;INCLUDE;OPTIONS")
  set(target ${name}_open)
  add_library(${target} OBJECT ${arg_SOURCES})
  target_include_directories(${target} SYSTEM PRIVATE ${arg_INCLUDE})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR})
  # The folder's path must not change the plug-in's build identity. The code is not written for our warnings.
  target_compile_options(${target} PRIVATE -w -ffile-prefix-map=${arg_FOLDER}=${name} ${arg_OPTIONS})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -fno-gnu-unique) # a symbol so marked cannot be made local
  endif()
  set(sealed ${CMAKE_CURRENT_BINARY_DIR}/${name}_sealed.o)
  add_custom_command(
    OUTPUT ${sealed}
    COMMAND ${CMAKE_LINKER} -r --force-group-allocation -o ${sealed} $<TARGET_OBJECTS:${target}>
    COMMAND ${CMAKE_OBJCOPY} --wildcard --keep-global-symbol=_ZN7sortlab8external* ${sealed}
    DEPENDS $<TARGET_OBJECTS:${target}>
    COMMAND_EXPAND_LISTS VERBATIM)
  set(${name}_sealed ${sealed} PARENT_SCOPE)
endfunction()
