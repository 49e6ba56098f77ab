# One function for every library of the project, so that the direction of includes is enforced by the compiler:
# a library exports only a folder that holds a link to its own sources. What is not in USES cannot be included.

add_library(tellegen_flags INTERFACE)
target_compile_options(tellegen_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wno-sign-conversion
  # No contraction: a result must not depend on which vector unit a kernel was dispatched to.
  -ffp-contract=off)
if(TELLEGEN_WERROR)
  target_compile_options(tellegen_flags INTERFACE -Werror)
endif()
if(TELLEGEN_SANITIZE)
  target_compile_options(tellegen_flags INTERFACE -fsanitize=${TELLEGEN_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(tellegen_flags INTERFACE -fsanitize=${TELLEGEN_SANITIZE})
endif()

# tellegen_library(NAME FOLDER SOURCES a.cpp ... [USES other ...] [LINKS external ...])
# FOLDER is relative to the source root; includes read "tellegen/FOLDER/header.h".
function(tellegen_library name folder)
  cmake_parse_arguments(arg "" "" "SOURCES;USES;LINKS;PRIVATE_LINKS" ${ARGN})
  set(root ${CMAKE_BINARY_DIR}/include/${name})
  cmake_path(GET folder PARENT_PATH parent)
  file(MAKE_DIRECTORY ${root}/tellegen/${parent})
  file(CREATE_LINK ${CMAKE_SOURCE_DIR}/${folder} ${root}/tellegen/${folder} SYMBOLIC)
  add_library(tellegen_${name} STATIC ${arg_SOURCES})
  target_include_directories(tellegen_${name} PUBLIC ${root})
  target_link_libraries(tellegen_${name} PRIVATE tellegen_flags ${arg_PRIVATE_LINKS} PUBLIC ${arg_LINKS})
  foreach(used ${arg_USES})
    target_link_libraries(tellegen_${name} PUBLIC tellegen_${used})
  endforeach()
endfunction()

# tellegen_test(NAME SOURCES a_test.cpp ... USES lib ... [LABEL slow])
# Every GoogleTest case becomes one ctest case; TELLEGEN_SOURCE_DIR tells tests where configs/ and tests/data are.
function(tellegen_test name)
  cmake_parse_arguments(arg "" "LABEL" "SOURCES;USES;LINKS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_compile_definitions(${name} PRIVATE TELLEGEN_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE tellegen_flags GTest::gmock GTest::gtest_main ${arg_LINKS})
  foreach(used ${arg_USES})
    target_link_libraries(${name} PRIVATE tellegen_${used})
  endforeach()
  set(properties TIMEOUT 600 ENVIRONMENT "OPENBLAS_NUM_THREADS=1")
  if(arg_LABEL)
    list(APPEND properties LABELS ${arg_LABEL})
  endif()
  gtest_discover_tests(${name} DISCOVERY_TIMEOUT 60 PROPERTIES ${properties})
endfunction()
