# Writes a source file that registers the digest of a plug-in's object files: -D NAME -D OBJECTS -D OUTPUT.
set(digests "")
foreach(object IN LISTS OBJECTS)
  file(SHA256 ${object} digest)
  string(APPEND digests ${digest})
endforeach()
string(SHA256 digest "${digests}")
string(SUBSTRING ${digest} 0 16 digest)
file(WRITE ${OUTPUT}
     "#include \"core/build_digest.hpp\"\n\n"
     "namespace {\nconst sortlab::RegisterBuildDigest registered{\"${NAME}\", \"${digest}\"};\n}\n")
