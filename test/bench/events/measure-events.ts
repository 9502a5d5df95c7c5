import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createIdentity } from '@sightline/core/curation/create-identity';
import { hasKafkaLibraries, KafkaProcess } from '../../support/servers/kafka-process.ts';
import { type EventPlatform, openEventPlatform } from '../../support/services/event-platform.ts';
import { MemoryWatch, residentMemory } from '../memory-watch.ts';
import { percentile, type Spread, spreadOf } from '../statistics.ts';
import { type Arrival, Endpoint } from './endpoint.ts';

export interface EventOptions {
  readonly rounds: number;
  /** The duration of each side's turn in a round. */
  readonly seconds: number;
  /** The number of events that exist when the processes start. */
  readonly unread: number;
  /** The number of entries in the feed that is read. */
  readonly entries: number;
}

export interface Latency {
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
}

/** The median rates per second of two sides, and the ratio of each round. */
export interface Compared {
  readonly bare: number;
  readonly ours: number;
  readonly ratio: Spread;
}

export interface BacklogFigures {
  /** The seconds until the feed, and until the endpoint, have all events. */
  readonly feedSeconds: number;
  readonly sentSeconds: number;
  /** The growth of a process's resident memory from idle to its peak, in bytes. */
  readonly projectorMemory: number;
  readonly dispatcherMemory: number;
}

export interface EventFigures extends EventOptions {
  /** The rate of transactions that create an identity, without and with running consumers. */
  readonly writes: Compared;
  /** The rate of messages to one endpoint. */
  readonly sending: Compared;
  /** The time from the commit, at a rate that keeps no process busy. */
  readonly toFeed: Latency;
  readonly toEndpoint: Latency;
  readonly backlog: BacklogFigures;
  /** The same figures with events over Kafka; null if there is none. */
  readonly kafka: Pick<EventFigures, 'writes' | 'toFeed' | 'toEndpoint'> | null;
  /** A page of 200 entries anywhere in the feed, in ms. */
  readonly page: { readonly p50: number; readonly p95: number };
}

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
export async function measureEvents(options: EventOptions): Promise<EventFigures> {
  const kafka = await measureOverKafka(options);
  await using platform = await openEventPlatform();
  using endpoint = await Endpoint.start();
  const bench = new EventBench(platform, endpoint, CONSUMERS);
  await bench.register();
  const writes = await bench.writes(options);
  const sending = await bench.sending(options.rounds);
  const latencies = await bench.latencies();
  const backlog = await bench.backlog(options.unread);
  const page = await bench.pages(options.entries);
  return { ...options, kafka, writes, sending, ...latencies, backlog, page };
}

async function measureOverKafka(options: EventOptions): Promise<EventFigures['kafka']> {
  if (!hasKafkaLibraries()) return null;
  await using broker = await KafkaProcess.start();
  await using platform = await openEventPlatform(broker);
  using endpoint = await Endpoint.start();
  const bench = new EventBench(platform, endpoint, WITH_RELAY);
  await bench.register();
  const writes = await bench.writes(options);
  return { writes, ...(await bench.latencies()) };
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

  async writes({ rounds, seconds }: EventOptions): Promise<Compared> {
    await this.#write(seconds);
    await this.#platform.query('ANALYZE');
    const [bare, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      bare.push(await this.#write(seconds));
      await this.#start();
      // Processes that have just started are slow, and take the cores from those that write.
      await this.#write(seconds);
      await this.#untilTold();
      ours.push(await this.#write(seconds));
      await this.#untilTold();
      await this.#stop();
      await this.#platform.query('ANALYZE');
    }
    return compared(bare, ours);
  }

  async sending(rounds: number): Promise<Compared> {
    const [bare, ours]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      await this.#endpoint.take(0);
      await runBareSender(this.#endpoint.url, SENT);
      bare.push(rateOf(await this.#endpoint.take(SENT)));
      await this.#emit(SENT);
      await this.#platform.start('dispatcher-1');
      // No query runs until all have arrived: queries would take the cores from the dispatcher.
      ours.push(rateOf(await this.#endpoint.take(SENT)));
      await this.#untilTold();
      await this.#stop();
    }
    return compared(bare, ours);
  }

  async latencies(): Promise<Pick<EventFigures, 'toFeed' | 'toEndpoint'>> {
    await this.#start();
    // The projector did not run while messages were sent.
    await this.#untilConsumed('feed');
    await this.#untilTold();
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
    await this.#untilTold();
    over.abort();
    await watching;
    await this.#stop();
    return {
      toFeed: latencyOf(committed, seen),
      toEndpoint: latencyOf(committed, new Map(await this.#endpoint.take(PACED))),
    };
  }

  async backlog(count: number): Promise<BacklogFigures> {
    await this.#start();
    const [projector, dispatcher] = CONSUMERS.map((role) => this.#platform.metricsUrl(role)) as [
      string,
      string,
    ];
    const idle = [await residentMemory(projector), await residentMemory(dispatcher)];
    await this.#stop();
    await this.#emit(count);
    await this.#start();
    await using feed = new MemoryWatch(projector);
    await using sent = new MemoryWatch(dispatcher);
    const start = performance.now();
    const secondsSoFar = () => (performance.now() - start) / 1000;
    const fed = this.#untilConsumed('feed').then(secondsSoFar);
    await this.#untilTold();
    const sentSeconds = secondsSoFar();
    const feedSeconds = await fed;
    return {
      feedSeconds,
      sentSeconds,
      projectorMemory: feed.takePeak() - idle[0]!,
      dispatcherMemory: sent.takePeak() - idle[1]!,
    };
  }

  /** Has to be the last measurement, because it plants feed entries without events. */
  async pages(entries: number): Promise<EventFigures['page']> {
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
    const times: number[] = [];
    for (let i = 0; i < PAGES; i++) {
      const since = Math.floor(Math.random() * entries);
      const start = performance.now();
      await this.#platform.database.withScope({ environmentId }, ({ feed }) =>
        feed.after(since, PAGE),
      );
      times.push(performance.now() - start);
    }
    return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
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

  async #untilTold(): Promise<void> {
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
      await this.#untilTold();
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

function compared(bare: readonly number[], ours: readonly number[]): Compared {
  const ratios = ours.map((speed, round) => speed / bare[round]!);
  return {
    bare: percentile(bare, 0.5),
    ours: percentile(ours, 0.5),
    ratio: spreadOf(ratios),
  };
}

function latencyOf(
  committed: ReadonlyMap<number, number>,
  seen: ReadonlyMap<number, number>,
): Latency {
  const times = [...committed].map(([id, at]) => seen.get(id)! - at);
  return { p50: percentile(times, 0.5), p99: percentile(times, 0.99) };
}
