import { createHmac } from 'node:crypto';
import { expect } from '@jest/globals';
import type { ReceivedMessage, WebhookSink } from '../support/servers/webhook-sink.ts';
import { type EventPlatform, SECRET } from '../support/services/event-platform.ts';

interface OutboxRow {
  readonly eventId: string;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface Deliveries {
  readonly events: EventPlatform;
  readonly sink: WebhookSink;
  readonly webhooks: readonly {
    readonly environmentId: number;
    /** The path of the environment's webhook on the sink. */
    readonly path: string;
    /** The types of the webhook's events; null stands for all. */
    readonly filter: readonly string[] | null;
  }[];
}

/** Expects that every committed event is in the feed once, in order, and has reached its webhook. */
export async function expectDelivered({ events, sink, webhooks }: Deliveries): Promise<void> {
  for (const { environmentId, path, filter } of webhooks) {
    const committed = await outboxOf(events, environmentId);
    await untilConsumed(events, environmentId);
    await expectFeed(events, environmentId, committed);
    const messages = sink.received.filter((message) => message.path === path);
    expectReceived(
      messages,
      committed.filter(({ event }) => filter === null || filter.includes(event)),
    );
  }
}

function outboxOf(events: EventPlatform, environmentId: number): Promise<OutboxRow[]> {
  return events.query<OutboxRow>(
    `SELECT event_id AS "eventId", event, data FROM outbox
     WHERE environment_id = $1 ORDER BY xid, id`,
    [environmentId],
  );
}

const untilConsumed = (events: EventPlatform, environmentId: number) =>
  events.untilThere(
    `SELECT WHERE NOT EXISTS (
       SELECT FROM outbox o WHERE o.environment_id = $1 AND 2 <> (
         SELECT count(*) FROM consumer_positions p
         WHERE p.environment_id = $1 AND (p.xid, p.id) >= (o.xid, o.id)))
     AND NOT EXISTS (
       SELECT FROM webhook_turns WHERE environment_id = $1 AND due_at IS NOT NULL)`,
    [environmentId],
  );

async function expectFeed(
  events: EventPlatform,
  environmentId: number,
  committed: readonly OutboxRow[],
): Promise<void> {
  const entries = await events.query<{ id: number; eventId: string }>(
    `SELECT id, event_id AS "eventId" FROM feed_entries WHERE environment_id = $1 ORDER BY id`,
    [environmentId],
  );
  expect(entries.map(({ id }) => id)).toEqual(entries.map((_, at) => at + 1));
  const expected = committed.flatMap(({ eventId, data }) =>
    ((data.detection_ids as number[] | undefined) ?? [0]).map(() => eventId),
  );
  expect(entries.map(({ eventId }) => eventId)).toEqual(expected);
}

function expectReceived(
  messages: readonly ReceivedMessage[],
  committed: readonly OutboxRow[],
): void {
  const byId = Map.groupBy(messages, ({ headers }) => headers['webhook-id'] as string);
  expect([...byId.keys()].sort()).toEqual(committed.map(({ eventId }) => eventId).sort());
  for (const [id, attempts] of byId) {
    const { body } = attempts[0]!;
    expect(JSON.parse(body.toString())).toMatchObject({ id });
    const hex = createHmac('sha256', SECRET).update(body).digest('hex');
    for (const attempt of attempts) {
      expect(attempt.body).toEqual(body);
      expect(attempt.headers['x-service-signature']).toBe(`sha256=${hex}`);
    }
  }
  expectInOrder(committed.map(({ eventId }) => byId.get(eventId)![0]!));
}

/** Expects that the first attempts about one entity did not overlap. */
function expectInOrder(firsts: readonly ReceivedMessage[]): void {
  const before = new Map<string, ReceivedMessage>();
  for (const first of firsts) {
    for (const entity of entitiesOf(first)) {
      const earlier = before.get(entity);
      if (earlier !== undefined) expect(first.at).toBeGreaterThanOrEqual(earlier.endedAt!);
      before.set(entity, first);
    }
  }
}

/** The entities of a message. First attempts about the same entity must not overlap. */
function entitiesOf({ body }: ReceivedMessage): readonly string[] {
  const { data } = JSON.parse(body.toString()) as { data: Record<string, number | number[]> };
  const identities = [data.identity_id, data.merged_into].map((id) => `identity ${id as number}`);
  const detections = [data.detection_id, data.detection_ids].flat().map((id) => `detection ${id}`);
  return [...new Set([...identities, ...detections])].filter((name) => /\d$/.test(name));
}
