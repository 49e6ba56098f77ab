# Targets format (rewrites) and format_check (only reports) for every C++ file of ours. The file is both an include of the root
# CMakeLists.txt, which makes the targets, and the script they run, so that files are listed when it runs and never stale:
#   cmake -D MODE=check -P cmake/Format.cmake
if(NOT CMAKE_SCRIPT_MODE_FILE)
  add_custom_target(format COMMAND ${CMAKE_COMMAND} -D MODE=rewrite -P ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  add_custom_target(format_check COMMAND ${CMAKE_COMMAND} -D MODE=check -P ${CMAKE_CURRENT_LIST_FILE} VERBATIM)
  return()
endif()

# Debian 12's version: another one lays the same file out differently.
find_program(CLANG_FORMAT NAMES clang-format-14 clang-format)
if(NOT CLANG_FORMAT)
  message(FATAL_ERROR "There is no clang-format. Install it: apt-get install clang-format")
endif()

cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
set(files)
foreach(folder base devices circuits models mapping sim tests)
  file(GLOB_RECURSE found RELATIVE ${root} ${root}/${folder}/*.h ${root}/${folder}/*.cpp)
  list(APPEND files ${found})
endforeach()
list(LENGTH files count)
if(count EQUAL 0)
  message(FATAL_ERROR "There is no C++ file under ${root}: is this the source folder?")
endif()

if(MODE STREQUAL "rewrite")
  set(arguments -i)
elseif(MODE STREQUAL "check")
  set(arguments --dry-run --Werror)
else()
  message(FATAL_ERROR "MODE is \"${MODE}\"; it must be check or rewrite.")
endif()
execute_process(COMMAND ${CLANG_FORMAT} --style=file ${arguments} ${files} WORKING_DIRECTORY ${root} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "Some of ${count} files are not formatted. Format them: cmake --build build/release --target format")
endif()
message(STATUS "${count} files are formatted (${MODE})")
