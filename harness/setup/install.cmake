# The files that `cmake --install` and CPack put into a prefix, which may be moved afterwards:
#
#   bin/sortlab
#   include/sortlab/            the contract: the headers of modules, with the same paths as in a checkout
#   lib/libsortlab_module.a     functions of the contract for modules, with the CMake package in lib/cmake/Sortlab
#   share/sortlab/              configs, schemas, published numbers, kept profiles, machines, plots: as in a checkout
#   share/doc/sortlab/examples  modules to copy
#
# harness/machine/checkout.cpp finds share/sortlab beside bin/.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(includes ${CMAKE_INSTALL_INCLUDEDIR}/sortlab)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/Sortlab)

# The contract of a module, and the small libraries of core/ that sorts call. These headers may include only each other:
# tests/package compiles the examples against the prefix alone.
set(contract_headers
    algorithms/component.hpp algorithms/module.hpp algorithms/phase_timer.hpp algorithms/plugin.hpp
    algorithms/common/adapters/common_types.hpp algorithms/common/adapters/device_algorithm.hpp
    algorithms/common/adapters/element_key.hpp algorithms/common/adapters/library_sort.hpp
    algorithms/common/adapters/process_sort.hpp algorithms/common/adapters/simple_sort.hpp
    algorithms/common/adapters/string_sort.hpp algorithms/common/adapters/with_types.hpp
    algorithms/common/cuda/device_buffers.hpp algorithms/common/host/rearrangement.hpp core/affinity.hpp
    core/bad_input.hpp core/child_process.hpp core/choice.hpp core/cuda/check.hpp core/cuda/device_memory.hpp
    core/descriptor.hpp core/host_device.hpp core/key_types.hpp core/lsd_digits.hpp core/names.hpp
    core/order.hpp core/pages.hpp core/pair_bytes.hpp core/parallel.hpp core/parameters.hpp core/raw_clock.hpp core/record.hpp
    core/thread_team.hpp core/utf8.hpp generators/distribution.hpp)
foreach(header IN LISTS contract_headers)
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${includes}/${folder})
endforeach()

# Symbols are hidden, since the code goes into shared libraries. fmt is used header-only, so that building a module
# needs no fmt library.
add_library(sortlab_module STATIC algorithms/module.cpp generators/module_distributions.cpp core/affinity.cpp
                                  core/child_process.cpp core/pages.cpp core/parameters.cpp core/thread_team.cpp)
target_include_directories(sortlab_module PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}> $<INSTALL_INTERFACE:${includes}>)
target_compile_definitions(sortlab_module PRIVATE FMT_HEADER_ONLY)
target_compile_features(sortlab_module PUBLIC cxx_std_20)
target_link_libraries(sortlab_module PUBLIC Threads::Threads)
set_target_properties(sortlab_module PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                                                VISIBILITY_INLINES_HIDDEN ON EXPORT_NAME module)

install(TARGETS sortlab sortlab_module EXPORT SortlabTargets RUNTIME DESTINATION bin
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(EXPORT SortlabTargets NAMESPACE Sortlab:: DESTINATION ${package})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/SortlabConfig.cmake.in ${PROJECT_BINARY_DIR}/SortlabConfig.cmake
                              INSTALL_DESTINATION ${package} NO_SET_AND_CHECK_MACRO)
# Loading checks the version of the contract, which may change with each minor version until 1.0.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/SortlabConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/SortlabConfig.cmake ${PROJECT_BINARY_DIR}/SortlabConfigVersion.cmake
              harness/setup/sortlab_add_algorithm.cmake harness/setup/resources_of_module.cmake
              harness/setup/module.map algorithms/module_facts.cpp
        DESTINATION ${package})

set(share share/sortlab)
install(DIRECTORY configs DESTINATION ${share})
install(FILES harness/calibrate/loops.py DESTINATION ${share}/harness/calibrate)
install(DIRECTORY models/machines DESTINATION ${share}/models)
install(DIRECTORY results/published DESTINATION ${share}/results)
# Profiles and tunings of the kept machines, without their records of tens of megabytes.
install(DIRECTORY results/reference DESTINATION ${share}/results
        FILES_MATCHING PATTERN "profile*.json" PATTERN "tuned.json" PATTERN "README.md")
install(DIRECTORY plots DESTINATION ${share} PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY tests/package/examples DESTINATION share/doc/sortlab)
install(FILES LICENSE DESTINATION share/doc/sortlab RENAME copyright)

# For cpack -G TGZ and cpack -G DEB in the build folder.
set(CPACK_PACKAGE_NAME sortlab)
set(CPACK_PACKAGE_VENDOR "The Sortlab authors")
set(CPACK_PACKAGE_CONTACT "The Sortlab authors <sortlab@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "Benchmark instrument for sorting research")
set(CPACK_PACKAGE_DESCRIPTION "Runs the sorts of four papers and today's best beside them, on the inputs that the papers
define, predicts every run by models, and shows published, measured and predicted side by side.")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGE_FILE_NAME sortlab-${PROJECT_VERSION}-${CMAKE_SYSTEM_PROCESSOR})
set(CPACK_GENERATOR TGZ)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "python3, python3-numpy, python3-jinja2, python3-matplotlib, python3-fastjsonschema")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "g++, cmake, ninja-build")
include(CPack)
