import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../../testing/api-server.ts';

const CREATED_AT = new Date('2026-01-02T03:04:05.678Z');

let api: ApiServer;
const eventId = randomUUID();

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
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
          })),
        ),
    },
    [environmentId],
  );
}

async function changes(query: { readonly since?: number; readonly limit?: number } = {}) {
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

  test.each(['since=-1', 'since=x', 'since=1.5', 'since=', 'limit=x'])(
    'refuses %s',
    async (query) => {
      const answer = await api.fetch(`/api/changes?${query}`);
      expect(answer.status).toBe(400);
    },
  );

  test('clamps the limit', async () => {
    await write(1, 2);
    expect((await changes({ limit: 0 })).changes).toHaveLength(1);
    expect((await changes({ limit: 1000 })).changes).toHaveLength(2);
  });
});
