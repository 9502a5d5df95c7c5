import type { Compared, EventFigures, Latency } from './events/measure-events.ts';
import { grouped, megabytes, pairCell, spreadCell } from './cells.ts';
import { markdownTable as table } from './markdown-table.ts';

/** The cost and the delay of events. */
export function eventsSection(figures: EventFigures): string {
  const { rounds, seconds, unread, entries, backlog, page } = figures;
  const options = `--rounds ${rounds} --seconds ${seconds} --unread ${unread} --entries ${entries}`;
  return `## Events

Made by \`make bench ARGS="--events ${options} --write"\`.

A projector and a dispatcher as processes of their own, which read the outbox themselves or hear of it over Kafka, over a Postgres of their own,
with one endpoint that answers at once. All share the cores. Writes are transactions that create an identity,
four at a time, and nothing else: with images between them the share of the events is less. The bare loop signs and posts messages,
eight at a time, and records nothing. Latency is counted from commit, at some 20 events a second.

${table(
  ['measure', 'bare', 'service', 'ratio', 'aim'],
  [
    comparedRow('writes a second, without / with both', figures.writes, 'at least 0.9'),
    comparedRow('messages a second, bare loop / dispatcher', figures.sending, 'at least 0.5'),
    latencyRow('commit to feed', figures.toFeed, '150 / 1000'),
    latencyRow('commit to attempt', figures.toEndpoint, '200 / 1000'),
    ...kafkaRows(figures.kafka),
    [
      'a page of 200 entries of the feed, p50 / p95, ms',
      '',
      pairCell(page.p50, page.p95),
      '',
      'p95 20',
    ],
  ],
)}

After ${grouped(unread)} unread events the feed had all of them after ${backlog.feedSeconds.toFixed(0)} s, and the endpoint
after ${backlog.sentSeconds.toFixed(0)} s; the memory of the projector grew by ${megabytes(backlog.projectorMemory)} MB at most, that of the dispatcher by
${megabytes(backlog.dispatcherMemory)} MB (aim: 200). The feed that is read has ${grouped(entries)} entries.
`;
}

/** The same figures with a broker and a relay, which also use the cores. */
function kafkaRows(kafka: EventFigures['kafka']): string[][] {
  if (kafka === null) return [];
  return [
    comparedRow('over Kafka: writes a second, without / with all', kafka.writes, 'at least 0.9'),
    latencyRow('over Kafka: commit to feed', kafka.toFeed, '150 / 1000'),
    latencyRow('over Kafka: commit to attempt', kafka.toEndpoint, '200 / 1000'),
  ];
}

function comparedRow(name: string, { bare, ours, ratio }: Compared, aim: string): string[] {
  return [name, bare.toFixed(0), ours.toFixed(0), spreadCell(ratio), aim];
}

function latencyRow(name: string, { p50, p99 }: Latency, aim: string): string[] {
  return [`${name}, p50 / p99, ms`, '', pairCell(p50, p99), '', aim];
}
