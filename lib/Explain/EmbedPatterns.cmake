# Writes the rows {name, text} of Builtin.cpp from the .pattern files.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DPATTERNS=<folder of .pattern files> -DOUT=<file> -P EmbedPatterns.cmake
file(GLOB files "${PATTERNS}/*.pattern")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME)
  file(READ "${file}" text)
  string(APPEND rows "{\"${name}\", R\"pattern(${text})pattern\"},\n")
endforeach()
file(WRITE "${OUT}" "${rows}")
