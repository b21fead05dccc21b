# Writes the rows {path, text} of ClangChild.cpp from the device header's files.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DKERNELS=<folder kernels> -DOUT=<file> -P EmbedHeaders.cmake
file(GLOB_RECURSE files RELATIVE "${KERNELS}" "${KERNELS}/device/*.h"
     "${KERNELS}/include/*.h")
list(APPEND files device.h)
list(SORT files)
set(rows "")
foreach(path IN LISTS files)
  file(READ "${KERNELS}/${path}" text)
  string(APPEND rows "{\"${path}\", R\"header(${text})header\"},\n")
endforeach()
file(WRITE "${OUT}" "${rows}")
