# sortlab_source_folder(<option> <what> <file>)
#
# A cache variable for the folder of somebody else's sources, of which <file> must be in it; empty means none. Sets
# <option>_COMMIT to what git says of it, or to nothing.
function(sortlab_source_folder option what file)
  set(${option} "" CACHE PATH "Source folder of ${what}")
  set(commit "")
  if(${option})
    if(NOT EXISTS "${${option}}/${file}")
      message(FATAL_ERROR "${option}=${${option}}: there is no ${file}; it must be the source folder of ${what}")
    endif()
    execute_process(COMMAND git -c safe.directory=* -C ${${option}} describe --always --tags --dirty
                    OUTPUT_VARIABLE commit ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
  endif()
  set(${option}_COMMIT "${commit}" PARENT_SCOPE)
endfunction()
