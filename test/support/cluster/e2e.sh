#!/bin/bash
# e2e.sh COMMAND...: runs a command on a cluster of one real node, which starts before and stops after it. Needs root,
# Debian's packages (packages.sh) and the programs of build.sh and `make tools`.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
K=${CLUSTER_DIR:-$PWD/.cache/cluster}
export CLUSTER_DIR=$K NAME=${NAME:-sightline-e2e}
images=$K/images-$NAME
"$HERE/write-images.sh" "$images"
# The command gets the signal, too, and the node stops after it.
trap 'exit 143' TERM
trap '"$HERE/node.sh" stop; rm -rf "$images" "$K/run-$NAME"' EXIT
IMAGES=$(echo "$images"/*.tar) "$HERE/node.sh" start
SIGHTLINE_TEST_NODE=$K/run-$NAME "$HERE/node.sh" run "$@"
