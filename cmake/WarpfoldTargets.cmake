# How a Warpfold library, tool or unit test is built.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0

# Flags of our own code only; LLVM's headers are system headers.
add_library(warpfold_flags INTERFACE)
target_compile_options(warpfold_flags INTERFACE
  -Wall -Wextra -Werror -Wno-unused-parameter -ffp-contract=off -fno-rtti
  -fno-exceptions -fvisibility-inlines-hidden -ffunction-sections -fdata-sections)
target_include_directories(warpfold_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/lib
  ${PROJECT_BINARY_DIR}/lib)
target_include_directories(warpfold_flags SYSTEM INTERFACE
  ${LLVM_INCLUDE_DIRS} ${MLIR_INCLUDE_DIRS})
separate_arguments(WARPFOLD_LLVM_DEFS NATIVE_COMMAND ${LLVM_DEFINITIONS})
target_compile_definitions(warpfold_flags INTERFACE ${WARPFOLD_LLVM_DEFS})
# --as-needed: LLVM's Support library names libz3, 30 MB that nothing of ours
# calls; without the flag every process start would load it.
target_link_options(warpfold_flags INTERFACE -fuse-ld=lld -Wl,--gc-sections
  -Wl,--as-needed)
if(WARPFOLD_PORTABLE)
  target_link_options(warpfold_flags INTERFACE -static-libstdc++ -static-libgcc)
endif()
if(WARPFOLD_SANITIZE)
  target_compile_options(warpfold_flags INTERFACE
    -fsanitize=address,undefined -fno-sanitize-recover=undefined
    -fno-sanitize=vptr -fno-omit-frame-pointer)
  target_link_options(warpfold_flags INTERFACE -fsanitize=address,undefined)
  # An object, not an archive member: the runtime has a weak definition of its
  # own, so nobody would ask the archive for ours.
  add_library(warpfold_sanitizer_options OBJECT
    ${PROJECT_SOURCE_DIR}/lib/Error/SanitizerOptions.cpp)
  target_link_libraries(warpfold_flags INTERFACE
    $<TARGET_OBJECTS:warpfold_sanitizer_options>)
endif()

if(WARPFOLD_FUZZERS)
  # Coverage feedback in our own code; the fuzz targets add the driver.
  target_compile_options(warpfold_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()

# warpfold_library(Name file.cpp… [LINK lib…]): a static library of lib/Name.
# Its namesake target is Wf<Name>, so that no name collides with LLVM's.
function(warpfold_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_library(Wf${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(Wf${name} PUBLIC warpfold_flags ${ARG_LINK})
endfunction()

# warpfold_unittest(Name file.cpp… LINK lib…): one GoogleTest binary, Name.
function(warpfold_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE warpfold_flags ${ARG_LINK}
                        GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/unittests)
  add_test(NAME ${name} COMMAND ${name})
  set_property(GLOBAL APPEND PROPERTY WARPFOLD_UNITTESTS ${name})
endfunction()

# warpfold_fuzzer(Name file.cpp… CORPUS dir LINK lib…): one libFuzzer binary,
# build/<preset>/fuzz/Name, with its kept corpus (a folder of the source tree).
# Does nothing unless WARPFOLD_FUZZERS is on (preset fuzz).
function(warpfold_fuzzer name)
  if(NOT WARPFOLD_FUZZERS)
    return()
  endif()
  cmake_parse_arguments(ARG "" "CORPUS" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE warpfold_flags ${ARG_LINK})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  # Read by test/run.py: the binary finds its corpus by this file.
  cmake_path(ABSOLUTE_PATH ARG_CORPUS NORMALIZE)
  file(WRITE ${PROJECT_BINARY_DIR}/fuzz/${name}.corpus "${ARG_CORPUS}\n")
  set_property(GLOBAL APPEND PROPERTY WARPFOLD_FUZZ_TARGETS ${name})
endfunction()

# warpfold_mlir_library(Name file.cpp… [LINK lib…]): a library of the MLIR side.
# The first one made owns the precompiled header; the others reuse it.
function(warpfold_mlir_library name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  warpfold_library(${name} ${ARG_UNPARSED_ARGUMENTS}
                   LINK ${ARG_LINK} ${WARPFOLD_MLIR_LIBS})
  if(name STREQUAL "Dialect")
    target_precompile_headers(Wf${name} PRIVATE
      ${PROJECT_SOURCE_DIR}/lib/Dialect/Mlir.h)
  else()
    target_precompile_headers(Wf${name} REUSE_FROM WfDialect)
    add_dependencies(Wf${name} WfFoldIncGen)
  endif()
endfunction()
