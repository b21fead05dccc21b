# Writes the rows {name, text} of Catalogue.cpp from the .fold files.
# SPDX-FileCopyrightText: The Warpfold developers
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DOPS=<folder of .fold files> -DOUT=<file> -P EmbedOps.cmake
file(GLOB files "${OPS}/*.fold")
list(SORT files)
set(rows "")
foreach(file IN LISTS files)
  get_filename_component(name "${file}" NAME_WE)
  file(READ "${file}" text)
  string(APPEND rows "{\"${name}\", R\"fold(${text})fold\"},\n")
endforeach()
file(WRITE "${OUT}" "${rows}")
