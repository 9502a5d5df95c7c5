import { relative } from 'node:path';
import type { KafkaChoice } from './find-kafka.ts';
import type { QdrantChoice } from './find-qdrant.ts';
import type { RunningPlatform } from './run-platform.ts';

export function introduction(
  { urls, keyFile, processes }: RunningPlatform,
  { qdrant, kafka }: { readonly qdrant: QdrantChoice | null; readonly kafka: KafkaChoice | null },
): string {
  const index =
    qdrant === null
      ? 'Index of faces: in the memory of each service, because there is no Qdrant (docs/compositions/platform.md).'
      : `Index of faces: in Qdrant at ${qdrant.url} (${qdrant.origin}), maintained by the worker.`;
  const events =
    kafka === null
      ? 'Events: read from the database, because there is no Kafka (make tools installs Kafka; needs Java and Maven).'
      : `Events: over Kafka at ${kafka.brokers} (${kafka.origin}).`;
  const shown = relative(process.cwd(), keyFile);
  const file = shown.startsWith('..') ? keyFile : shown;
  return [
    '',
    'The platform is up:',
    ...urls.map((url) => `  ${url}/docs`),
    `Processes: ${Array.from(processes.keys()).join(', ')}.`,
    index,
    events,
    `An administrator's key is in ${file}. A face enrolled through one process is recognized by the other:`,
    `  curl -H "X-API-Key: $(cat ${file})" -F name=Ada -F file=@photo.jpg ${urls[0]}/api/faces/enroll`,
    `  curl -H "X-API-Key: $(cat ${file})" -F file=@photo.jpg ${urls[1]}/api/identify`,
    'Ctrl-C stops the platform.',
    '',
    '',
  ].join('\n');
}
