# ccache where it is installed, set up so that the precompiled header of the
# MLIR side and clones in other folders still hit.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
find_program(WARPFOLD_CCACHE ccache)
if(WARPFOLD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # pch_defines, time_macros: without them every user of a PCH is a miss.
  # The PCH's time stamp is off for the same reason (clang's own option).
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${WARPFOLD_CCACHE})
  add_compile_options("$<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>")
endif()
