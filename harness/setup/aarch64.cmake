# Toolchain of the preset aarch64: Debian's cross compiler, and libraries of a folder that aarch64_sysroot.sh makes.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)
set(CMAKE_DISABLE_PRECOMPILE_HEADERS ON) # Debian's cross compiler (12.2) dies of them now and then

set(SORTLAB_SYSROOT "" CACHE PATH "Folder with the libraries for arm64")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES SORTLAB_SYSROOT)
if(NOT EXISTS "${SORTLAB_SYSROOT}/usr/lib/aarch64-linux-gnu")
  message(FATAL_ERROR "SORTLAB_SYSROOT=${SORTLAB_SYSROOT}: there is no usr/lib/aarch64-linux-gnu; "
                      "make the folder by harness/setup/aarch64_sysroot.sh FOLDER")
endif()
set(CMAKE_SYSROOT ${SORTLAB_SYSROOT})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)

# Programs that the build and its tests start.
find_program(SORTLAB_EMULATOR NAMES qemu-aarch64-static qemu-aarch64)
mark_as_advanced(SORTLAB_EMULATOR)
if(SORTLAB_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${SORTLAB_EMULATOR} -L ${SORTLAB_SYSROOT})
endif()
