# SPDX-License-Identifier: GPL-3.0-or-later
# The three kinds of target there are: a room of core/, a test, and (by plain CMake) a program.

add_library(ridge_options INTERFACE)
target_compile_options(ridge_options INTERFACE -Wall -Wextra -Wpedantic -Wconversion -Wshadow)
if(RIDGE_WERROR)
  target_compile_options(ridge_options INTERFACE -Werror)
endif()
# One rounding per operation: no fused multiply-add that the source did not ask for.
target_compile_options(ridge_options INTERFACE -ffp-contract=off)
if(RIDGE_SANITIZER STREQUAL "address")
  add_compile_options(-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  add_link_options(-fsanitize=address,undefined)
elseif(RIDGE_SANITIZER STREQUAL "thread")
  add_compile_options(-fsanitize=thread -fno-omit-frame-pointer)
  add_link_options(-fsanitize=thread)
endif()

if(RIDGE_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# ridge_room(NAME SOURCES a.cpp … [DEPENDS base problem …] [LIBRARIES Pkg::lib …])
# A folder of core/ as the static library ridge_NAME; headers are included as "NAME/header.h".
function(ridge_room name)
  cmake_parse_arguments(ROOM "" "" "SOURCES;DEPENDS;LIBRARIES" ${ARGN})
  string(REPLACE "/" "_" target "ridge_${name}")
  add_library(${target} STATIC ${ROOM_SOURCES})
  target_include_directories(${target} PUBLIC ${CMAKE_SOURCE_DIR}/core)
  target_link_libraries(${target} PRIVATE ridge_options)
  foreach(dependency IN LISTS ROOM_DEPENDS)
    string(REPLACE "/" "_" dependency_target "ridge_${dependency}")
    target_link_libraries(${target} PUBLIC ${dependency_target})
  endforeach()
  target_link_libraries(${target} PUBLIC ${ROOM_LIBRARIES})
endfunction()

# ridge_test(NAME SOURCES a_test.cpp … LIBRARIES ridge_problem … [LABELS core|app|slow|bench|gpu] [TIMEOUT seconds]
#            [MAIN own_main.cpp])
# One GoogleTest program; ctest lists each of its tests. RIDGE_SOURCE_DIR is the root of the tree. A test program that
# lists its own tests only while running (GUI) may give MAIN.
function(ridge_test name)
  cmake_parse_arguments(TEST "" "TIMEOUT;MAIN" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${TEST_SOURCES} ${TEST_MAIN})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/core ${CMAKE_SOURCE_DIR}/tests)
  target_compile_definitions(${name} PRIVATE RIDGE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" RIDGE_BINARY_DIR="${CMAKE_BINARY_DIR}")
  target_link_libraries(${name} PRIVATE ridge_options ${TEST_LIBRARIES} GTest::gmock GTest::gtest)
  set_target_properties(${name} PROPERTIES UNITY_BUILD ON)  # the headers cost more than the tests
  if(NOT TEST_MAIN)
    target_link_libraries(${name} PRIVATE GTest::gtest_main)
  endif()
  if(NOT TEST_LABELS)
    set(TEST_LABELS core)
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT 60)
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS "${TEST_LABELS}" TIMEOUT ${TEST_TIMEOUT} ENVIRONMENT "QT_QPA_PLATFORM=offscreen")
endfunction()
