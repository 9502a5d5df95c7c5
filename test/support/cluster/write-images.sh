#!/bin/bash
# write-images.sh FOLDER: writes the images that a quickstart needs, as files for IMAGES of node.sh: Sightline's own, MinIO,
# Qdrant and Kafka (from .cache/tools; Kafka on this machine's Java) and Postgres (the embedded one). Needs no daemon and no
# registry. Without a Qdrant in .cache/tools the quickstart runs with the embedded index.
set -eu
HERE=$(cd "$(dirname "$0")" && pwd)
ROOT=$(cd "$HERE/../../.." && pwd)
mkdir -p "$1"
out=$(cd "$1" && pwd)
cd "$ROOT"
half=$(mktemp -d "$out/images.XXXXXX")
trap 'rm -rf "$half"' EXIT

app=$half/sightline
mkdir -p "$app/tmp" "$app/etc/ssl/certs"
"$(scripts/node-path)" scripts/image/write-image-folder.ts "$app/app"
mapfile -t libraries < <(find "$app/app/node_modules" -path '*linux*' -path '*x64*' ! -path '*musl*' \( -name '*.node' -o -name '*.so*' \))
"$HERE/with-libraries.sh" "$app" "$app/app/node" "${libraries[@]}"
cp -L /etc/ssl/certs/ca-certificates.crt "$app/etc/ssl/certs/"
config='{"Entrypoint":["/app/node"],"User":"10001:10001","WorkingDir":"/app","Env":["NODE_ENV=production","HOME=/tmp","SIGHTLINE_CONSOLE_DIR=/app/console"]}'
"$HERE/image.sh" "$app" docker.io/library/sightline:e2e "$out/sightline.tar" "$config"

s3=$half/s3
mkdir -p "$s3/tmp"
cp .cache/tools/minio "$s3/minio"
"$HERE/with-libraries.sh" "$s3" "$s3/minio"
"$HERE/image.sh" "$s3" docker.io/library/sightline-s3:e2e "$out/s3.tar" '{"Entrypoint":["/minio"],"User":"10001:10001"}'

# The chart relies on the working folder of the official image.
if [ -x .cache/tools/qdrant ]; then
  qdrant=$half/qdrant
  mkdir -p "$qdrant/qdrant" "$qdrant/tmp" "$qdrant/etc/ssl/certs"
  cp -L .cache/tools/qdrant "$qdrant/qdrant/qdrant"
  "$HERE/with-libraries.sh" "$qdrant" "$qdrant/qdrant/qdrant"
  # Qdrant does not start without certificates of authorities.
  cp -L /etc/ssl/certs/ca-certificates.crt "$qdrant/etc/ssl/certs/"
  "$HERE/image.sh" "$qdrant" docker.io/library/qdrant:e2e "$out/qdrant.tar" '{"Entrypoint":["/qdrant/qdrant"],"WorkingDir":"/qdrant"}'
else
  echo 'There is no Qdrant in .cache/tools: the quickstart runs with the embedded index.'
fi

# The image starts as the official image does, with the settings of the chart. findBinaries creates
# the links that the package lacks until its first start.
find_postgres="import('@sightline/embedded-postgres/binaries').then(async (found) => console.log((await found.findBinaries()).root))"
native=$("$(scripts/node-path)" --no-warnings -e "$find_postgres")
postgres=$half/postgres
mkdir -p "$postgres/usr/lib/pg" "$postgres/bin" "$postgres/etc" "$postgres/tmp"
cp -rL "$native/." "$postgres/usr/lib/pg/"
mapfile -t programs < <(find "$postgres/usr/lib/pg" -type f \( -name '*.so*' -o -perm -u+x \))
"$HERE/with-libraries.sh" "$postgres" /bin/bash /bin/sh /bin/cat /bin/rm /usr/bin/env "${programs[@]}"
printf 'postgres:x:999:999::/tmp:/bin/bash\n' >"$postgres/etc/passwd"
cp "$HERE/start-postgres.sh" "$postgres/bin/start-postgres"
cp "$HERE/pg-isready.sh" "$postgres/bin/pg_isready"
"$HERE/image.sh" "$postgres" docker.io/library/postgres:e2e "$out/postgres.tar" \
  '{"Entrypoint":["/bin/start-postgres"],"Env":["PATH=/usr/lib/pg/bin:/bin:/usr/bin"]}'

kafka=$half/kafka
mkdir -p "$kafka/usr/lib/java" "$kafka/opt/kafka/config" "$kafka/bin" "$kafka/tmp"
java=$(command -v java) || { echo 'Java is missing: Kafka runs on it.' >&2; exit 1; }
java=$(dirname "$(dirname "$(readlink -f "$java")")")
tar -C "$java" --dereference --ignore-failed-read --exclude=src.zip --exclude='psfont*' --exclude='libatk*' \
  -cf - bin conf lib | tar -C "$kafka/usr/lib/java" -xf -
mapfile -t libraries < <(find "$kafka/usr/lib/java/lib" -name '*.so')
"$HERE/with-libraries.sh" "$kafka" /bin/bash "$kafka/usr/lib/java/bin/java" "${libraries[@]}"
cp -r .cache/tools/kafka "$kafka/opt/kafka/libs"
cp "$HERE/log4j2.yaml" "$kafka/opt/kafka/"
cp "$HERE/start-kafka.sh" "$kafka/bin/start-kafka"
"$HERE/image.sh" "$kafka" docker.io/library/kafka:e2e "$out/kafka.tar" '{"Entrypoint":["/bin/start-kafka"]}'
