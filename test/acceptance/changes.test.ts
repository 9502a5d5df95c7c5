import { waitUntil } from '../support/waits/wait-until.ts';
import { beforeAll, expect, test } from '@jest/globals';
import { drawPhoto } from '../support/fixtures/draw-photo.ts';
import { describeInCompositions } from '../support/services/compositions.ts';
import { ok } from '../support/services/ok.ts';
import type { SharedService } from '../support/services/shared-service.ts';

describeInCompositions('the change feed', (takeEnvironment) => {
  let service: SharedService;

  beforeAll(async () => {
    service = await takeEnvironment();
  });

  /** Polls the feed from a cursor until it has returned this many changes. */
  async function follow(since: number, count: number) {
    const readPage = async (cursor: number) =>
      ok(await service.client.listChanges({ query: { since: cursor, limit: 2 } }));
    const seen: Awaited<ReturnType<typeof readPage>>['changes'][number][] = [];
    let cursor = since;
    const look = async () => {
      const page = await readPage(cursor);
      seen.push(...page.changes);
      cursor = page.next_cursor;
      return seen;
    };
    return waitUntil(`the feed has ${count} changes`, look, {
      isDone: ({ length }) => length >= count,
      pauseMs: 20,
    });
  }

  const summarize = (changes: Awaited<ReturnType<typeof follow>>) =>
    changes.map(({ entity_type, entity_id, action, external_ref }) => [
      `${entity_type} ${action}`,
      entity_id,
      external_ref,
    ]);

  test('returns every change once, in order, with ids without gaps', async () => {
    const { client } = service;
    const ada = ok(
      await client.createIdentity({ body: { label: 'Ada', type: 'face', external_ref: 'crm/1' } }),
    );
    const file = await drawPhoto({ faces: ['red'] });
    const enrolled = ok(await client.enrollIdentity({ path: { id: ada.id }, body: { file } }));
    const reference = { path: { id: enrolled.embedding_id } };
    const { detection_id: face } = ok(await client.getFaceEmbedding(reference));
    ok(await client.renameIdentity({ path: { id: ada.id }, body: { label: 'Ada Lovelace' } }));
    ok(await client.unassignFace({ path: { id: face } }));
    await client.deleteDetection({ path: { id: face } });
    await client.deleteIdentity({ path: { id: ada.id } });

    const changes = await follow(0, 9);
    expect(summarize(changes)).toEqual([
      ['identity created', ada.id, 'crm/1'],
      ['detection created', face, null],
      ['identity updated', ada.id, 'crm/1'],
      ['identity updated', ada.id, 'crm/1'],
      ['identity relabeled', ada.id, 'crm/1'],
      ['detection relabeled', face, null],
      ['identity updated', ada.id, 'crm/1'],
      ['detection deleted', face, null],
      ['identity deleted', ada.id, 'crm/1'],
    ]);
    expect(changes.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(new Set(changes.map(({ event_id }) => event_id)).size).toBe(9);
  });
});
