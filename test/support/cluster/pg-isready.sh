#!/bin/bash
# The embedded Postgres has no pg_isready. The check connects to the port, because the server
# listens once it is ready.
exec 3<>/dev/tcp/127.0.0.1/5432
