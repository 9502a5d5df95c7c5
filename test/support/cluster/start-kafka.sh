#!/bin/bash
# Runs a Kafka of one node. Its settings are environment variables, as in Docker's official image:
# KAFKA_NODE_ID is node.id.
set -eu
properties=/opt/kafka/config/server.properties
for name in "${!KAFKA_@}"; do
  [ "$name" = KAFKA_HEAP_OPTS ] && continue
  key=${name#KAFKA_}
  key=${key,,}
  echo "${key//_/.}=${!name}"
done >"$properties"
java=(/usr/lib/java/bin/java "$KAFKA_HEAP_OPTS" -Dlog4j2.configurationFile=/opt/kafka/log4j2.yaml -cp '/opt/kafka/libs/*')
"${java[@]}" kafka.tools.StorageTool format --ignore-formatted -t c2lnaHRsaW5lLXBvZHMtLQ -c "$properties"
exec "${java[@]}" kafka.Kafka "$properties"
