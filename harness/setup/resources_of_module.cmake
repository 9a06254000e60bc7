# Writes the header with the digests of the files that a module starts or reads: -D RESOURCES -D OUTPUT.
set(digests "")
foreach(file IN LISTS RESOURCES)
  file(SHA256 ${file} digest)
  string(APPEND digests " ${digest}")
endforeach()
string(STRIP "${digests}" digests)
file(WRITE ${OUTPUT} "#define SORTLAB_MODULE_RESOURCES \"${digests}\"\n")
