# LLVM and MLIR 22: where they are, and the two ways to link them.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
# Shared (dev): one libLLVM and one libMLIR, so links take under a second.
# Static (release, portable): fast process start, one binary. The two must not
# be mixed in one process: options would be registered twice.
set(MLIR_DIR /usr/lib/llvm-22/lib/cmake/mlir CACHE PATH "MLIR's CMake package")
find_package(MLIR REQUIRED CONFIG)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "Warpfold needs LLVM and MLIR 22; MLIR_DIR gives "
                      "${LLVM_PACKAGE_VERSION}: set MLIR_DIR")
endif()
list(APPEND CMAKE_MODULE_PATH ${MLIR_CMAKE_DIR} ${LLVM_CMAKE_DIR})
include(TableGen)
include(AddLLVM)
include(AddMLIR)
set(WARPFOLD_LLVM_BIN ${LLVM_TOOLS_BINARY_DIR})

# Support alone, for the libraries that know nothing else of LLVM, and all that
# the compiler side needs. Debian's static MLIR libraries name the shared LLVM
# in their CMake targets, so the static link lists archives itself.
#
# lld is a pair of archives in either case.
set(WARPFOLD_LLD_ARCHIVES ${LLVM_LIBRARY_DIR}/liblldELF.a
    ${LLVM_LIBRARY_DIR}/liblldCommon.a)
if(WARPFOLD_STATIC_MLIR)
  set(WARPFOLD_LLVM_SUPPORT LLVMSupport)
  # The targets there is code for, the passes, and what lld names.
  set(components x86 nvptx amdgpu orcjit passes lto)
  file(GLOB WARPFOLD_MLIR_ARCHIVES ${LLVM_LIBRARY_DIR}/libMLIR*.a)
  list(FILTER WARPFOLD_MLIR_ARCHIVES EXCLUDE REGEX "CAPI|Test|Python")
  execute_process(
    COMMAND ${WARPFOLD_LLVM_BIN}/llvm-config --link-static --libs
            ${components}
    OUTPUT_VARIABLE WARPFOLD_LLVM_ARCHIVES OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  execute_process(
    COMMAND ${WARPFOLD_LLVM_BIN}/llvm-config --link-static --system-libs
            ${components}
    OUTPUT_VARIABLE WARPFOLD_LLVM_SYSTEM OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(WARPFOLD_LLVM_ARCHIVES)
  separate_arguments(WARPFOLD_LLVM_SYSTEM)
  # Perf, Polly and XML belong to parts that are not linked.
  list(FILTER WARPFOLD_LLVM_ARCHIVES EXCLUDE REGEX "Polly|LLVMExtensions")
  list(FILTER WARPFOLD_LLVM_SYSTEM EXCLUDE REGEX "xml2|pfm|Polly")
  set(WARPFOLD_MLIR_LIBS -Wl,--start-group ${WARPFOLD_LLD_ARCHIVES}
      ${WARPFOLD_MLIR_ARCHIVES}
      -L${LLVM_LIBRARY_DIR} ${WARPFOLD_LLVM_ARCHIVES} -Wl,--end-group
      ${WARPFOLD_LLVM_SYSTEM})
  # What knows LLVM IR and nothing of MLIR.
  set(WARPFOLD_LLVM_IR -Wl,--start-group -L${LLVM_LIBRARY_DIR}
      ${WARPFOLD_LLVM_ARCHIVES} -Wl,--end-group ${WARPFOLD_LLVM_SYSTEM})
else()
  set(WARPFOLD_LLVM_IR LLVM)
  set(WARPFOLD_LLVM_SUPPORT LLVM)
  # lld compresses sections by itself.
  set(WARPFOLD_MLIR_LIBS ${WARPFOLD_LLD_ARCHIVES} MLIR LLVM ZLIB::ZLIB -lzstd)
endif()

# Empty functions for the targets that lld would initialise and nobody else
# asks for; the template says why.
set(WARPFOLD_LINKER_STUBS ${PROJECT_BINARY_DIR}/LinkerStubs.cpp)
set(initialisers)
foreach(target IN LISTS LLVM_TARGETS_TO_BUILD)
  foreach(part TargetInfo Target TargetMC AsmPrinter AsmParser)
    if(NOT target MATCHES "^(X86|NVPTX|AMDGPU)$" OR
       (part STREQUAL "AsmParser" AND NOT target STREQUAL "AMDGPU"))
      string(APPEND initialisers "void LLVMInitialize${target}${part}() {}\n")
    endif()
  endforeach()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/lib/Target/LinkerStubs.cpp.in
               ${WARPFOLD_LINKER_STUBS} @ONLY)

# portable: LLVM's two system libraries come from their archives, so that the
# binary needs libc and libm only. The C++ library follows in WarpfoldTargets.
if(WARPFOLD_PORTABLE)
  find_library(WARPFOLD_ZLIB_ARCHIVE libz.a REQUIRED)
  find_library(WARPFOLD_ZSTD_ARCHIVE libzstd.a REQUIRED)
  set_target_properties(ZLIB::ZLIB PROPERTIES
    IMPORTED_LOCATION ${WARPFOLD_ZLIB_ARCHIVE}
    IMPORTED_LOCATION_RELEASE ${WARPFOLD_ZLIB_ARCHIVE})
  set_target_properties(zstd::libzstd_shared PROPERTIES
    IMPORTED_LOCATION ${WARPFOLD_ZSTD_ARCHIVE})
  list(TRANSFORM WARPFOLD_MLIR_LIBS REPLACE "^-lz$" ${WARPFOLD_ZLIB_ARCHIVE})
  list(TRANSFORM WARPFOLD_MLIR_LIBS REPLACE "^-lzstd$" ${WARPFOLD_ZSTD_ARCHIVE})
  list(TRANSFORM WARPFOLD_LLVM_IR REPLACE "^-lz$" ${WARPFOLD_ZLIB_ARCHIVE})
  list(TRANSFORM WARPFOLD_LLVM_IR REPLACE "^-lzstd$" ${WARPFOLD_ZSTD_ARCHIVE})
endif()
