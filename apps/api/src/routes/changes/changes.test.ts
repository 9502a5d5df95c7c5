import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { WaitingRequests } from '../../context/waiting-requests.ts';
import { type ApiServer, startApi } from '../../testing/api-server.ts';
import { SERVICE } from '@sightline/core/store/actor';
import { setTimeout as sleep } from 'node:timers/promises';

const CREATED_AT = new Date('2026-01-02T03:04:05.678Z');

const waiting = new WaitingRequests(500);
let api: ApiServer;
const eventId = randomUUID();

beforeAll(async () => {
  api = await startApi(createMigratedDatabase, { waiting });
});
beforeEach(() => api.reset());
afterAll(() => api[Symbol.asyncDispose]());

/** Writes changes of the identities with these ids to the feed. */
async function write(...entityIds: readonly number[]): Promise<void> {
  const { id: environmentId } = await api.stores.keys.environment(api.environment);
  await api.client.createIdentity({ body: { label: randomUUID(), type: 'face' } });
  await api.stores.consumers.catchUp(
    {
      consumer: 'feed',
      consume: ({ feed }) =>
        feed.append(
          entityIds.map((entityId) => ({
            environmentId,
            eventId,
            entityType: 'identity',
            entityId,
            action: 'created',
            externalRef: 'crm/1',
            createdAt: CREATED_AT,
            operationId: null,
          })),
        ),
    },
    [environmentId],
  );
}

interface Query {
  readonly since?: number | 'latest';
  readonly limit?: number;
  readonly wait?: number;
}

async function changes(query: Query = {}) {
  const { body } = await api.client.listChanges({ query });
  return body!;
}

describe('GET /api/changes', () => {
  test('lists the changes since the cursor, in pages', async () => {
    expect(await changes()).toEqual({ changes: [], next_cursor: 0, has_more: false });
    await write(7, 8);
    await write(9);
    const first = await changes({ limit: 2 });
    expect(first).toEqual({
      changes: [7, 8].map((entity_id, at) => ({
        id: at + 1,
        entity_type: 'identity',
        entity_id,
        action: 'created',
        external_ref: 'crm/1',
        event_id: eventId,
        created_at: CREATED_AT.toISOString(),
      })),
      next_cursor: 2,
      has_more: true,
    });
    const second = await changes({ since: first.next_cursor });
    expect(second).toMatchObject({
      changes: [{ id: 3, entity_id: 9 }],
      next_cursor: 3,
      has_more: false,
    });
    expect(await changes({ since: 3 })).toEqual({ changes: [], next_cursor: 3, has_more: false });
    expect(await changes({ since: 99 })).toMatchObject({ changes: [], next_cursor: 99 });
  });

  test('lists no changes of other environments, which have their own ids', async () => {
    await write(1);
    await api.reset();
    expect((await changes()).changes).toEqual([]);
    await write(2);
    expect((await changes()).changes).toMatchObject([{ id: 1, entity_id: 2 }]);
  });

  test('tells where the feed ends', async () => {
    expect(await changes({ since: 'latest' })).toEqual({
      changes: [],
      next_cursor: 0,
      has_more: false,
    });
    await write(7, 8);
    const head = { changes: [], next_cursor: 2, has_more: false };
    expect(await changes({ since: 'latest', wait: 30 })).toEqual(head);
  });

  test.each([
    'since=-1',
    'wait=-1',
    'wait=x',
    'wait=1.5',
    'since=x',
    'since=1.5',
    'since=',
    'limit=x',
  ])('refuses %s', async (query) => {
    const answer = await api.fetch(`/api/changes?${query}`);
    expect(answer.status).toBe(400);
  });

  test('clamps the limit', async () => {
    await write(1, 2);
    expect((await changes({ limit: 0 })).changes).toHaveLength(1);
    expect((await changes({ limit: 1000 })).changes).toHaveLength(2);
  });
});

describe('a request that waits', () => {
  const waitingIs = async (count: number): Promise<void> => {
    while (waiting.count !== count) await sleep(10);
  };

  test('is answered when another process has written a change', async () => {
    await write(7);
    const answer = changes({ since: 1, wait: 100 });
    await waitingIs(1);
    await write(8);
    expect(await answer).toMatchObject({
      changes: [{ id: 2, entity_id: 8 }],
      next_cursor: 2,
      has_more: false,
    });
    expect(waiting.count).toBe(0);
  });

  test('is answered at once if there is a change, and without changes after its time', async () => {
    await write(7);
    expect((await changes({ wait: 30 })).changes).toHaveLength(1);
    const startedAt = performance.now();
    expect(await changes({ since: 1, wait: 1 })).toEqual({
      changes: [],
      next_cursor: 1,
      has_more: false,
    });
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(990);
  });

  test('is answered at once if its caller has five others', async () => {
    const abort = new AbortController();
    const others = Array.from({ length: 5 }, () =>
      api.fetch('/api/changes?wait=30', { signal: abort.signal }).catch(() => null),
    );
    await waitingIs(5);
    expect((await changes({ wait: 30 })).changes).toEqual([]);
    const another = await api.clientOf({ environment: api.environment });
    const answer = another.listChanges({ query: { wait: 30 } });
    await waitingIs(6);
    abort.abort();
    await Promise.all(others);
    await waitingIs(1);
    await write(7);
    expect((await answer).body!.changes).toHaveLength(1);
  });

  test('ends when its key is revoked', async () => {
    const { id: environmentId } = await api.stores.keys.environment(api.environment);
    const answer = api.client.listChanges({ query: { wait: 30 } });
    await waitingIs(1);
    const keys = await api.stores.keys.list();
    const { id } = keys.find((key) => key.environmentId === environmentId)!;
    await api.stores.keys.revoke(id, SERVICE);
    expect((await answer).problem).toMatchObject({ status: 401, code: 'unauthenticated' });
    expect(waiting.count).toBe(0);
  });
});
