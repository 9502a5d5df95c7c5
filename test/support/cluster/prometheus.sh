#!/bin/sh
# prometheus.sh: promtool of Debian's package, unpacked into .cache/cluster/prometheus and not installed.
set -eu
cd "$(dirname "$0")/../../.."
target="$PWD/.cache/cluster/prometheus"
[ -x "$target/usr/bin/promtool" ] && exit 0
partial="$(mktemp -d)"
trap 'rm -rf "$partial"' EXIT
cd "$partial"
apt-get download prometheus
mkdir -p "$target"
dpkg -x prometheus_*.deb "$target"
