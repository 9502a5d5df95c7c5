import { format } from 'prettier';
import type { Compared, EventFigures, Latency } from './events/measure-events.ts';
import { markdownTable as table } from './markdown-table.ts';

/** Of the page, between markers: it is measured and written by itself too. */
export const EVENTS_SECTION = 'events';

/** The section as it stands in the page. */
export function formatEvents(figures: EventFigures): Promise<string> {
  return format(eventsSection(figures), { parser: 'markdown', printWidth: 100 });
}

/** What it costs to tell events, and how soon they are told. */
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
      pair(page.p50, page.p95),
      '',
      'p95 20',
    ],
  ],
)}

After ${unread.toLocaleString('en')} unread events the feed had all of them after ${backlog.feedSeconds.toFixed(0)} s, and the endpoint
after ${backlog.sentSeconds.toFixed(0)} s; the memory of the projector grew by ${megabytes(backlog.projectorMemory)} MB at most, that of the dispatcher by
${megabytes(backlog.dispatcherMemory)} MB (aim: 200). The feed that is read has ${entries.toLocaleString('en')} entries.
`;
}

/** The same with a broker and a relay, which share the cores too. */
function kafkaRows(kafka: EventFigures['kafka']): string[][] {
  if (kafka === null) return [];
  return [
    comparedRow('over Kafka: writes a second, without / with all', kafka.writes, 'at least 0.9'),
    latencyRow('over Kafka: commit to feed', kafka.toFeed, '150 / 1000'),
    latencyRow('over Kafka: commit to attempt', kafka.toEndpoint, '200 / 1000'),
  ];
}

function comparedRow(name: string, { bare, ours, ratio }: Compared, aim: string): string[] {
  const { median, least, greatest } = ratio;
  const range = `${median.toFixed(2)} (${least.toFixed(2)} to ${greatest.toFixed(2)})`;
  return [name, bare.toFixed(0), ours.toFixed(0), range, aim];
}

function latencyRow(name: string, { p50, p99 }: Latency, aim: string): string[] {
  return [`${name}, p50 / p99, ms`, '', pair(p50, p99), '', aim];
}

function pair(a: number, b: number): string {
  return `${a.toFixed(1)} / ${b.toFixed(1)}`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(0);
}
