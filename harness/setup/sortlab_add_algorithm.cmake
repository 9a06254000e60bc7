# sortlab_add_algorithm(<name> [SOURCES] <file>... [CUDA_SOURCES <file>...] [LINK <target>...] [OPTIONS <option>...]
#                       [VERSION <text>] [RESOURCES <file>...])
#
# Makes the module <name>.so, for `sortlab --plugin ./<name>.so`. The arguments are those of the function of this name in
# a checkout, so that one CMakeLists.txt serves both. A file of the folder is included as algorithms/<name>/… in both.
#   CUDA_SOURCES  left out if the project has not enabled CUDA
#   OPTIONS       options of the C++ compiler
#   LINK          targets that hold the sort
#   VERSION       SORTLAB_VERSION in the sources
#   RESOURCES     files that the sort starts or reads, such as a program in another language; a change of one makes
#                 measurements stale, like a change of the sources
# PROBES and a model.cpp are used only in a checkout: a module holds sorts and their components.
#
# A module's symbols are not bound to the program, and other modules do not see them, so that the measured code is that of
# its own compiler. algorithms/module.hpp gives the reasons.
function(sortlab_add_algorithm name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FOREIGN_THREADS" "VERSION"
                        "SOURCES;CUDA_SOURCES;OBJECTS;LINK;OPTIONS;PROBES;CUDA_PROBES;RESOURCES")
  set(sources ${arg_UNPARSED_ARGUMENTS} ${arg_SOURCES})
  if(NOT name MATCHES "^[A-Za-z0-9_]+$")
    message(FATAL_ERROR "sortlab_add_algorithm(${name}): a name has letters, digits and underscores")
  elseif(NOT sources)
    message(FATAL_ERROR "sortlab_add_algorithm(${name}): names no source")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if("CUDA" IN_LIST languages)
    list(APPEND sources ${arg_CUDA_SOURCES})
  elseif(arg_CUDA_SOURCES)
    message(STATUS "${name}: CUDA is not enabled in this project; without ${arg_CUDA_SOURCES}")
  endif()

  # The module's description of itself is compiled here, with its flags.
  set(package ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(made ${CMAKE_CURRENT_BINARY_DIR}/${name}_module)
  file(MAKE_DIRECTORY ${made}/algorithms)
  file(CREATE_LINK ${CMAKE_CURRENT_SOURCE_DIR} ${made}/algorithms/${name} SYMBOLIC)
  file(COPY_FILE ${package}/module_facts.cpp ${made}/module_facts.cpp ONLY_IF_DIFFERENT)
  list(TRANSFORM arg_RESOURCES REPLACE "^([^/$].*)$" "${CMAKE_CURRENT_SOURCE_DIR}/\\1")
  add_custom_command(
    OUTPUT ${made}/resources.hpp
    COMMAND ${CMAKE_COMMAND} -D "RESOURCES=${arg_RESOURCES}" -D OUTPUT=${made}/resources.hpp
            -P ${package}/resources_of_module.cmake
    DEPENDS ${arg_RESOURCES} ${package}/resources_of_module.cmake
    VERBATIM)

  add_library(${name} MODULE ${sources} ${made}/module_facts.cpp ${made}/resources.hpp)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
  string(JOIN " " flags ${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${build_type}} ${arg_OPTIONS})
  string(REGEX REPLACE "[\"\\]" "" flags "${flags}")
  set_source_files_properties(
    ${made}/module_facts.cpp PROPERTIES
    INCLUDE_DIRECTORIES ${made}
    COMPILE_DEFINITIONS "SORTLAB_PACKAGE_VERSION=\"${Sortlab_VERSION}\";SORTLAB_MODULE_FLAGS=\"${flags}\";SORTLAB_MODULE_COMPILER=\"${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}\"")
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" CXX_VISIBILITY_PRESET hidden
                                           VISIBILITY_INLINES_HIDDEN ON CUDA_VISIBILITY_PRESET hidden)
  target_include_directories(${name} PRIVATE ${made})
  target_compile_features(${name} PRIVATE cxx_std_20)
  if("CUDA" IN_LIST languages)
    if(CMAKE_CUDA20_STANDARD_COMPILE_OPTION)
      target_compile_features(${name} PRIVATE cuda_std_20)
    else() # Debian 12's CMake does not know this standard
      target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-std=c++20>)
    endif()
    # Allows the contract's constexpr functions of keys on a device.
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:--expt-relaxed-constexpr>)
  endif()
  target_compile_definitions(${name} PRIVATE SORTLAB_VERSION="${arg_VERSION}")
  # The folder's path must not change the module's file, by which records identify it.
  target_compile_options(
    ${name} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${made}=.;-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}=./algorithms/${name};${arg_OPTIONS}>"
                    "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffile-prefix-map=${CMAKE_CURRENT_SOURCE_DIR}=./algorithms/${name}>")
  # --no-undefined: a missing symbol is found when the module is linked, not when it is loaded.
  target_link_options(${name} PRIVATE -Wl,--no-undefined -Wl,--version-script=${package}/module.map)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${package}/module.map)
  target_link_libraries(${name} PRIVATE Sortlab::module ${arg_LINK})
endfunction()

# sortlab_add_distribution(<name> [SOURCES] <file>... [LINK <target>...] [OPTIONS <option>...])
#
# Makes a module whose sources register distributions (generators/distribution.hpp). The sources of a sort may register
# some, too.
function(sortlab_add_distribution name)
  sortlab_add_algorithm(${name} ${ARGN})
endfunction()
