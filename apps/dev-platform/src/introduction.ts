import { relative } from 'node:path';
import type { KafkaChoice } from './find-kafka.ts';
import type { QdrantChoice } from './find-qdrant.ts';
import type { RunningPlatform } from './run-platform.ts';

/** The text that is printed when a platform has started. */
export function introduction(
  { urls, keyFile, processes }: RunningPlatform,
  { qdrant, kafka }: { readonly qdrant: QdrantChoice | null; readonly kafka: KafkaChoice | null },
): string {
  const index =
    qdrant === null
      ? 'The index of faces: without Qdrant, each service has one of its own in memory (docs/compositions/platform.md).'
      : `The index of faces: in Qdrant at ${qdrant.url} (${qdrant.origin}), maintained by the worker.`;
  const events =
    kafka === null
      ? 'Events: read from the database by those who tell them; there is no Kafka (make tools, with Java and Maven).'
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
    `An administrator's key is in ${file}. A face that is enrolled in one process is known to the other:`,
    `  curl -H "X-API-Key: $(cat ${file})" -F name=Ada -F file=@photo.jpg ${urls[0]}/api/faces/enroll`,
    `  curl -H "X-API-Key: $(cat ${file})" -F file=@photo.jpg ${urls[1]}/api/identify`,
    'Ctrl-C stops all of it.',
    '',
    '',
  ].join('\n');
}
