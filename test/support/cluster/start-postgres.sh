#!/bin/bash
# Creates a database cluster on a new volume, and runs the server.
set -eu
export PGDATA=/var/lib/postgresql/data
if [ ! -e "$PGDATA/PG_VERSION" ]; then
  initdb --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE" --auth-host=scram-sha-256 --auth-local=trust \
    --encoding=UTF8 --locale=C --locale-provider=builtin --builtin-locale=C.UTF-8 >/dev/null
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "CREATE DATABASE $POSTGRES_DB" | postgres --single postgres >/dev/null
fi
exec postgres -c listen_addresses='*' -c unix_socket_directories=/var/run/postgresql
