# Folders outside the checkout that hold one algorithm each, with the same contents as the folders here, or distributions.
set(SORTLAB_PLUGINS "" CACHE STRING "Folders outside the checkout that hold an algorithm each, separated by semicolons")
set(SORTLAB_PLUGIN_INCLUDES ${PROJECT_BINARY_DIR}/plugins) # holds a link algorithms/<name> to each folder

# Sets `result` to the reason `folder` cannot be a plug-in beside `others`, or to nothing.
function(sortlab_check_plugin result folder others)
  get_filename_component(name "${folder}" NAME)
  set(fault "")
  if(NOT IS_ABSOLUTE "${folder}")
    set(fault "not an absolute path")
  elseif(NOT EXISTS "${folder}/CMakeLists.txt")
    set(fault "there is no CMakeLists.txt in it; algorithms/_template is a folder to copy")
  elseif(NOT name MATCHES "^[A-Za-z0-9_]+$")
    set(fault "its name is the algorithm's: letters, digits and underscores")
  elseif(EXISTS "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/${name}")
    set(fault "the name is taken by algorithms/${name}")
  else()
    foreach(other IN LISTS others)
      get_filename_component(name_of_other "${other}" NAME)
      if(name STREQUAL name_of_other)
        set(fault "the name is taken by ${other}")
      endif()
    endforeach()
  endif()
  set(${result} "${fault}" PARENT_SCOPE)
endfunction()

set(sortlab_plugins "")
foreach(given IN LISTS SORTLAB_PLUGINS)
  string(REGEX REPLACE "/+$" "" folder "${given}")
  sortlab_check_plugin(fault "${folder}" "${sortlab_plugins}")
  if(fault)
    message(FATAL_ERROR "SORTLAB_PLUGINS: ${given}: ${fault}")
  endif()
  get_filename_component(folder "${folder}" ABSOLUTE)
  list(APPEND sortlab_plugins "${folder}")
endforeach()

# sortlab_add_plugin(<folder>)
#
# Adds the folder as algorithms/<its name>. Its sources include their headers by that path and compile to the same
# object code as inside the checkout, so that the build identity does not depend on the folder's location.
function(sortlab_add_plugin folder)
  get_filename_component(name ${folder} NAME)
  file(MAKE_DIRECTORY ${SORTLAB_PLUGIN_INCLUDES}/algorithms)
  file(CREATE_LINK ${folder} ${SORTLAB_PLUGIN_INCLUDES}/algorithms/${name} SYMBOLIC)
  # add_subdirectory inherits the options of the calling folder; the next plug-in must not see them.
  get_property(options DIRECTORY PROPERTY COMPILE_OPTIONS)
  get_property(includes DIRECTORY PROPERTY INCLUDE_DIRECTORIES)
  include_directories(${SORTLAB_PLUGIN_INCLUDES})
  foreach(map ${SORTLAB_PLUGIN_INCLUDES}=. ${folder}=./algorithms/${name})
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-ffile-prefix-map=${map}>"
                        "$<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-ffile-prefix-map=${map}>")
  endforeach()
  add_subdirectory(${folder} ${CMAKE_CURRENT_BINARY_DIR}/${name})
  set_property(DIRECTORY PROPERTY COMPILE_OPTIONS ${options})
  set_property(DIRECTORY PROPERTY INCLUDE_DIRECTORIES ${includes})
  if(NOT TARGET algorithm_${name} AND NOT TARGET distribution_${name})
    message(FATAL_ERROR "SORTLAB_PLUGINS: ${folder}: its CMakeLists.txt adds no algorithm or distribution of the "
                        "folder's name, ${name}")
  endif()
endfunction()
