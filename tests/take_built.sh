#!/bin/sh
# A compiler launcher (CMAKE_CXX_COMPILER_LAUNCHER) for a second build of the same checkout with other plug-ins. It links to
# objects that the build in $SORTLAB_BUILT has compiled already, and compiles the others.
object=
for word in "$@"; do
  [ "$last" != -o ] || object=$word
  [ "$last" != -MF ] || dependencies=$word
  last=$word
done
if [ -n "$object" ] && [ "${object#/}" = "$object" ] && [ -f "$SORTLAB_BUILT/$object" ]; then
  mkdir -p "$(dirname "$object")"
  [ -z "$dependencies" ] || echo "$object:" >"$dependencies"
  exec ln -sf "$SORTLAB_BUILT/$object" "$object"
fi
rm -f "$object" # or the compiler would write through a link
exec "$@"
