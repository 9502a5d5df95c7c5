#!/bin/sh
# prometheus.sh: unpacks promtool from Debian's package into .cache/cluster/prometheus, without
# installing it.
set -eu
cd "$(dirname "$0")/../../.."
target="$PWD/.cache/cluster/prometheus"
[ -x "$target/usr/bin/promtool" ] && exit 0
partial="$(mktemp -d)"
trap 'rm -rf "$partial"' EXIT
cd "$partial"
apt-get download -o Acquire::Retries=3 prometheus
mkdir -p "$target"
dpkg -x prometheus_*.deb "$target"
