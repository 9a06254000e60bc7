# sortlab_compile_with_neon(<file>...): for files whose classes hold vectors. Members of such classes are compiled with the
# file's instructions, not with those of Highway's attributes, and Highway's NEON includes the AES instructions.
function(sortlab_compile_with_neon)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
    set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS -march=armv8-a+crypto)
  endif()
endfunction()

# The one Highway that everything is linked with: the distribution's, or a source folder such as a checkout of
# google/highway. Defines hwy::hwy, hwy::hwy_contrib and SORTLAB_HIGHWAY_VERSION, the commit of a source folder.
sortlab_source_folder(SORTLAB_HIGHWAY_DIR "Highway, to use in place of the installed one" hwy/highway.h)
set(SORTLAB_HIGHWAY_VERSION "")
if(SORTLAB_HIGHWAY_DIR)
  set(CMAKE_POLICY_DEFAULT_CMP0077 NEW) # our settings override its defaults
  set(CMAKE_POLICY_DEFAULT_CMP0126 NEW)
  set(HWY_ENABLE_TESTS OFF)
  set(HWY_ENABLE_EXAMPLES OFF)
  set(HWY_ENABLE_INSTALL OFF)
  set(HWY_FORCE_STATIC_LIBS ON)
  add_subdirectory(${SORTLAB_HIGHWAY_DIR} highway EXCLUDE_FROM_ALL SYSTEM)
  unset(CMAKE_POLICY_DEFAULT_CMP0077)
  unset(CMAKE_POLICY_DEFAULT_CMP0126)
  foreach(target hwy hwy_contrib)
    target_compile_options(${target} PRIVATE -w) # its code is not written for our warnings
    # The checkout's path must not change a plug-in's build identity.
    target_compile_options(${target} PUBLIC -ffile-prefix-map=${SORTLAB_HIGHWAY_DIR}=highway)
    add_library(hwy::${target} ALIAS ${target})
  endforeach()
  set(SORTLAB_HIGHWAY_VERSION "${SORTLAB_HIGHWAY_DIR_COMMIT}")
else()
  find_package(hwy CONFIG REQUIRED)
endif()
