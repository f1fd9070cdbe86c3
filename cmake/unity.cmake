# GOSSAMER_UNITY: the files of one folder are compiled as one. Headers are read, and what they instantiate
# is compiled, once a folder instead of once a file; a clean build takes a third to a half less. After a
# change of one file its whole folder is compiled again, so it is off unless asked for.
#
# Names in anonymous namespaces must differ within such a folder; a file that repeats some is named as
# ALONE. Files still include what they use: builds without it would fail otherwise.

# gossamer_unity(target [BELOW folder] [ALONE files and folders...]): compiles the sources in `folder` (the
# current one) as one file, and those of each folder below it as one more.
function(gossamer_unity target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "BELOW" "ALONE")
  if(NOT GOSSAMER_UNITY)
    return()
  endif()
  set(base ${CMAKE_CURRENT_SOURCE_DIR})
  if(arg_BELOW)
    set(base ${arg_BELOW})
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR} OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX base "${path}" inside)
    if(NOT inside OR NOT path MATCHES "\\.cpp$")
      continue()
    endif()
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${base})
    string(REGEX MATCH "^([^/]*)/" group ${path})
    if(NOT path IN_LIST arg_ALONE AND NOT (group AND CMAKE_MATCH_1 IN_LIST arg_ALONE))
      string(MAKE_C_IDENTIFIER "all_${group}" group)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # To GCC the anonymous namespace of an included file is one of a header. (Said in the file and not by an
    # option, so that files which are compiled alone are compiled as without unity.)
    set_target_properties(${target} PROPERTIES UNITY_BUILD_CODE_BEFORE_INCLUDE
      "#pragma GCC diagnostic ignored \"-Wsubobject-linkage\"")
  endif()
endfunction()
