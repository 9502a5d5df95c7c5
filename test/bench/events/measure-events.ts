import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdentity } from '@sightline/core/curation/create-identity';
import { hasKafkaLibraries, KafkaProcess } from '../../support/servers/kafka-process.ts';
import { type EventPlatform, openEventPlatform } from '../../support/services/event-platform.ts';
import { type Bench, type Measured, repeat } from '../bench.ts';
import { grouped, megabytes, spreadCell } from '../cells.ts';
import { markdownTable } from '../markdown-table.ts';
import { MemoryWatch, residentMemory } from '../memory-watch.ts';
import { median, percentile, timed } from '../statistics.ts';
import { type Arrival, Endpoint } from './endpoint.ts';

const WRITERS = 4;
const SENT = 20_000;
const PACED = 300;
const PACE_MS = 50;
/** A process that consumes an event within this time, in ms, has joined its group. */
const PROMPT_MS = 400;
const PAGES = 400;
const PAGE = 200;
const POLL_MS = 5;
const CONSUMERS = ['projector', 'dispatcher-1'] as const;
const WITH_RELAY = [...CONSUMERS, 'relay-1'] as const;

/**
 * Measures the delivery of events: a projector and a dispatcher as processes of their own, over a Postgres of
 * their own, with one endpoint.
 */
export async function measureEvents(options: Bench): Promise<Measured> {
  const { unread, entries, madeBy } = options;
  const overKafka = await measureOverKafka(options);
  await using platform = await openEventPlatform();
  using endpoint = await Endpoint.start();
  const bench = new EventBench(platform, endpoint, CONSUMERS);
  await bench.register();
  const rows = [
    ['writes a second, without / with both', ...(await bench.writes(options)), 'at least 0.9'],
    [
      'messages a second, bare loop / dispatcher',
      ...(await bench.sending(options.rounds)),
      'at least 0.5',
    ],
    ...(await bench.latencies('')),
    ...overKafka,
  ];
  const backlog = await bench.backlog(unread);
  const pages = await bench.pages(entries);
  rows.push([`a page of ${PAGE} entries of the feed, p50 / p95, ms`, '', pages, '', 'p95 20']);
  const text = `## Events

${madeBy}

A projector and a dispatcher as processes of their own, which read the outbox themselves or hear of it over Kafka, over a Postgres of their own,
with one endpoint that answers at once. All share the cores. Writes are transactions that create an identity,
four at a time, and nothing else: with images between them the share of the events is less. The bare loop signs and posts messages,
eight at a time, and records nothing. Latency is counted from commit, at some 20 events a second.

${markdownTable(['measure', 'bare', 'service', 'ratio', 'aim'], rows)}

${backlog} The feed that is read has ${grouped(entries)} entries.`;
  return { text };
}

/** @returns rows of the same measures with a broker and a relay, which also use the cores */
async function measureOverKafka(options: Bench): Promise<string[][]> {
  if (!hasKafkaLibraries()) return [];
  await using broker = await KafkaProcess.start();
  await using platform = await openEventPlatform(broker);
  using endpoint = await Endpoint.start();
  const bench = new EventBench(platform, endpoint, WITH_RELAY);
  await bench.register();
  const writes = await bench.writes(options);
  return [
    ['over Kafka: writes a second, without / with all', ...writes, 'at least 0.9'],
    ...(await bench.latencies('over Kafka: ')),
  ];
}

class EventBench {
  readonly #platform: EventPlatform;
  readonly #endpoint: Endpoint;
  readonly #environmentId: number;
  readonly #roles: typeof CONSUMERS | typeof WITH_RELAY;
  /** The number of identities that were created or that events name. */
  #identities = 0;

  constructor(
    platform: EventPlatform,
    endpoint: Endpoint,
    roles: typeof CONSUMERS | typeof WITH_RELAY,
  ) {
    this.#roles = roles;
    this.#platform = platform;
    this.#endpoint = endpoint;
    this.#environmentId = platform.environmentIds[0]!;
  }

  async register(): Promise<void> {
    await this.#platform.register(this.#environmentId, { url: this.#endpoint.url, events: [] });
  }

  async writes({ rounds, seconds }: Bench): Promise<string[]> {
    await this.#write(seconds);
    await this.#platform.query('ANALYZE');
    const [bare, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push(await this.#write(seconds));
      await this.#start();
      // Processes that have just started are slow, and take the cores from those that write.
      await this.#write(seconds);
      await this.#untilDelivered();
      ours.push(await this.#write(seconds));
      await this.#untilDelivered();
      await this.#stop();
      await this.#platform.query('ANALYZE');
    }
    return compared(bare, ours);
  }

  async sending(rounds: number): Promise<string[]> {
    const [bare, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await this.#endpoint.take(0);
      await runBareSender(this.#endpoint.url, SENT);
      bare.push(rateOf(await this.#endpoint.take(SENT)));
      await this.#emit(SENT);
      await this.#platform.start('dispatcher-1');
      // Waits until all messages have arrived, before the queries of `#untilDelivered` would take the cores from the
      // dispatcher.
      ours.push(rateOf(await this.#endpoint.take(SENT)));
      await this.#untilDelivered();
      await this.#stop();
    }
    return compared(bare, ours);
  }

  async latencies(prefix: string): Promise<string[][]> {
    await this.#start();
    // The projector has to catch up first: `sending` has emitted events while it did not run.
    await this.#untilConsumed('feed');
    await this.#untilDelivered();
    await this.#untilPrompt();
    await this.#endpoint.take(0);
    const committed = new Map<number, number>();
    const seen = new Map<number, number>();
    const over = new AbortController();
    const watching = this.#watchFeed(seen, over.signal);
    for (let i = 0; i < PACED; i++) {
      const identityId = ++this.#identities;
      await this.#platform.database.withEntities(
        { environmentId: this.#environmentId, locks: [] },
        (tx) => tx.emit({ event: 'identity_deleted', facts: { identityId } }),
      );
      committed.set(identityId, now());
      await sleep(PACE_MS * 2 * Math.random());
    }
    await this.#untilDelivered();
    over.abort();
    await watching;
    await this.#stop();
    const sent = new Map(await this.#endpoint.take(PACED));
    const row = (name: string, arrived: ReadonlyMap<number, number>, aim: string) => {
      const times = [...committed].map(([id, at]) => arrived.get(id)! - at);
      return [`${prefix}${name}, p50 / p99, ms`, '', pairCell(times, 0.99), '', aim];
    };
    return [
      row('commit to feed', seen, '150 / 1000'),
      row('commit to attempt', sent, '200 / 1000'),
    ];
  }

  /** @returns a sentence */
  async backlog(count: number): Promise<string> {
    await this.#start();
    const urls = CONSUMERS.map((role) => this.#platform.metricsUrl(role));
    const idle = await Promise.all(urls.map(residentMemory));
    await this.#stop();
    await this.#emit(count);
    await this.#start();
    await using resources = new AsyncDisposableStack();
    const watches = urls.map((url) => resources.use(new MemoryWatch(url)));
    const start = performance.now();
    const secondsSoFar = () => ((performance.now() - start) / 1000).toFixed(0);
    const fed = this.#untilConsumed('feed').then(secondsSoFar);
    await this.#untilDelivered();
    const sent = secondsSoFar();
    const [feed, growths] = [await fed, watches.map((watch, at) => watch.takePeak() - idle[at]!)];
    return `After ${grouped(count)} unread events the feed had all of them after ${feed} s, and the endpoint
after ${sent} s; the memory of the projector grew by ${megabytes(growths[0]!)} MB at most, that of the dispatcher by
${megabytes(growths[1]!)} MB (aim: 200).`;
  }

  /** Has to be the last measurement, because it plants feed entries without events. */
  async pages(entries: number): Promise<string> {
    await this.#stop();
    const [, environmentId] = this.#platform.environmentIds as [number, number];
    await this.#platform.query(
      `INSERT INTO feed_entries
         (environment_id, id, event_id, entity_type, entity_id, action, external_ref, created_at)
       SELECT $1, i, gen_random_uuid(), 'detection', i, 'created', 'planted/' || i, now()
       FROM generate_series(1, $2) i`,
      [environmentId, entries],
    );
    await this.#platform.query('VACUUM ANALYZE feed_entries');
    const { database } = this.#platform;
    const times = await repeat(PAGES, () => {
      const since = Math.floor(Math.random() * entries);
      return timed(() =>
        database.withScope({ environmentId }, ({ feed }) => feed.after(since, PAGE)),
      );
    });
    return pairCell(times, 0.95);
  }

  async #start(): Promise<void> {
    for (const role of this.#roles) await this.#platform.start(role);
  }

  async #stop(): Promise<void> {
    for (const role of this.#roles) await this.#platform.kill(role);
    await this.#platform.query('UPDATE webhook_turns SET token = NULL, lease_until = NULL');
  }

  /** Creates identities for some seconds, and returns their number per second. */
  async #write(seconds: number): Promise<number> {
    const { database } = this.#platform;
    const scope = { environmentId: this.#environmentId };
    const start = performance.now();
    const end = start + seconds * 1000;
    let count = 0;
    const write = async (): Promise<void> => {
      while (performance.now() < end) {
        const label = `Person ${++this.#identities}`;
        await createIdentity({ database }, { scope, type: 'face', label });
        count++;
      }
    };
    await Promise.all(Array.from({ length: WRITERS }, write));
    return (count * 1000) / (performance.now() - start);
  }

  /** Emits events as use cases do. */
  async #emit(count: number): Promise<void> {
    const batch = 1000;
    for (let i = 0; i < count; i += batch) {
      const events = Array.from({ length: Math.min(batch, count - i) }, () => ({
        event: 'identity_deleted' as const,
        facts: { identityId: ++this.#identities },
      }));
      const scope = { environmentId: this.#environmentId, locks: [] };
      await this.#platform.database.withEntities(scope, (tx) => tx.emit(...events));
    }
  }

  async #untilDelivered(): Promise<void> {
    await this.#untilConsumed('webhooks');
    await this.#platform.untilThere(
      'SELECT WHERE NOT EXISTS (SELECT FROM webhook_turns WHERE due_at IS NOT NULL)',
    );
  }

  /**
   * Waits until the consumers are fast. Kafka notices only after 10 s that members of a group were killed,
   * and new members get nothing before that.
   */
  async #untilPrompt(): Promise<void> {
    for (let took = Infinity; took > PROMPT_MS;) {
      const start = performance.now();
      await this.#emit(1);
      await this.#untilConsumed('feed');
      await this.#untilDelivered();
      took = performance.now() - start;
    }
  }

  #untilConsumed(consumer: 'feed' | 'webhooks'): Promise<void> {
    return this.#platform.untilThere(
      `SELECT FROM consumer_positions p WHERE p.consumer = $1 AND p.environment_id = $2
         AND (p.xid, p.id) >= (
           SELECT xid, id FROM outbox WHERE environment_id = $2 ORDER BY xid DESC, id DESC LIMIT 1)`,
      [consumer, this.#environmentId],
    );
  }

  /** Records when each identity appears in the feed. */
  async #watchFeed(seen: Map<number, number>, signal: AbortSignal): Promise<void> {
    const { database } = this.#platform;
    const scope = { environmentId: this.#environmentId };
    const [row] = await this.#platform.query<{ last: number }>(
      'SELECT last_id AS last FROM feed_heads WHERE environment_id = $1',
      [this.#environmentId],
    );
    let since = row!.last;
    while (!signal.aborted) {
      const { items } = await database.withScope(scope, ({ feed }) => feed.after(since, PAGE));
      for (const { entityId } of items) seen.set(entityId, now());
      since = items.at(-1)?.id ?? since;
      await sleep(POLL_MS);
    }
  }
}

/** The time in ms of the epoch, as the endpoint measures it. */
function now(): number {
  return performance.timeOrigin + performance.now();
}

async function runBareSender(url: string, count: number): Promise<void> {
  const script = join(import.meta.dirname, 'bare-sender.ts');
  const child = spawn(process.execPath, [script, url, String(count)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`The bare loop ended with ${code}.`);
}

/** Messages per second of the second half: the sender has just started, and is slow at first. */
function rateOf(all: readonly Arrival[]): number {
  const arrivals = all.slice(all.length / 2);
  return ((arrivals.length - 1) * 1000) / (arrivals.at(-1)![1] - arrivals[0]![1]);
}

/** The median rates, and the ratio of each round. */
function compared(bare: readonly number[], ours: readonly number[]): string[] {
  const ratios = ours.map((speed, round) => speed / bare[round]!);
  return [median(bare).toFixed(0), median(ours).toFixed(0), spreadCell(ratios)];
}

/** The median and a higher percentile. */
function pairCell(times: readonly number[], share: number): string {
  return `${median(times).toFixed(1)} / ${percentile(times, share).toFixed(1)}`;
}
