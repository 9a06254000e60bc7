# Minimum over the compiled architectures of the shared memory that a block can have, in KiB. Sorts choose the shapes of
# their kernels by it (algorithms/msd_radix_gpu/shared_memory.hpp). Sets SORTLAB_SHAPE_DEFINITIONS for such sorts, the
# models and the tests; it is empty for the usual value, so that the object code does not change.
set(SORTLAB_SHARED_KIB AUTO CACHE STRING "KiB of shared memory a block: AUTO, the least of CMAKE_CUDA_ARCHITECTURES, or 64 to 227")

# CUDA C++ Programming Guide, "Compute Capabilities", maximum amount of shared memory per thread block.
function(sortlab_least_shared_kib result)
  set(least 227) # 9.0, 10.x, 11.0
  foreach(architecture IN LISTS ARGN)
    string(REGEX MATCH "^[0-9]+" number "${architecture}")
    if(architecture MATCHES "^all" OR number STREQUAL "75")
      set(kib 64)
    elseif(number MATCHES "^(86|89|120|121)$")
      set(kib 99)
    elseif(number MATCHES "^(80|87|88)$")
      set(kib 163)
    else()
      set(kib 227)
    endif()
    if(kib LESS least)
      set(least ${kib})
    endif()
  endforeach()
  set(${result} ${least} PARENT_SCOPE)
endfunction()

set(sortlab_shared_kib ${SORTLAB_SHARED_KIB})
if(sortlab_shared_kib STREQUAL AUTO)
  string(REPLACE "native" "${CMAKE_CUDA_ARCHITECTURES_NATIVE}" architectures "${CMAKE_CUDA_ARCHITECTURES}")
  sortlab_least_shared_kib(sortlab_shared_kib ${architectures})
elseif(NOT sortlab_shared_kib MATCHES "^[0-9]+$" OR sortlab_shared_kib LESS 64 OR sortlab_shared_kib GREATER 227)
  message(FATAL_ERROR "SORTLAB_SHARED_KIB is ${sortlab_shared_kib}: AUTO, or 64 to 227")
endif()
set(SORTLAB_SHAPE_DEFINITIONS "")
if(NOT sortlab_shared_kib EQUAL 227)
  set(SORTLAB_SHAPE_DEFINITIONS SORTLAB_SHARED_KIB=${sortlab_shared_kib})
endif()
