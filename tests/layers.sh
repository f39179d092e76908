#!/bin/sh
# No room includes one that its line below does not name.
: "${srcdir:=.}"
may() {
  case $1 in
  base)       echo "base" ;;
  engine)     echo "base engine" ;;
  measure)    echo "base measure" ;;
  model)      echo "base engine measure model" ;;
  experiment) echo "base engine measure model experiment" ;;
  output)     echo "base measure experiment/result output" ;;
  app)        echo "base engine measure model experiment output app" ;;
  esac
}
n=0
for f in "$srcdir"/src/*/*.[ch]; do
  room=$(basename "$(dirname "$f")")
  bad=
  for inc in $(sed -n 's|^#include "\([a-z]*/[a-z0-9_-]*\)\.h"$|\1|p' "$f"); do
    case " $(may "$room") " in *" ${inc%%/*} "* | *" $inc "*) ;; *) bad="$bad $inc" ;; esac
  done
  n=$((n + 1))
  if [ -z "$bad" ]; then echo "ok $n - $room/$(basename "$f")"
  else echo "not ok $n - $room/$(basename "$f") includes$bad"; fi
done
echo "1..$n"
