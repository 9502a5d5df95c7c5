import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteIdentities } from '@sightline/core/curation/delete-identities';
import { deleteIdentity, type DeleteIdentityDeps } from '@sightline/core/curation/delete-identity';
import { deleteSource } from '@sightline/core/curation/delete-source';
import { finishDeletions } from '@sightline/core/curation/finish-deletions';
import type { MediaObject } from '@sightline/core/media/media-store';
import { checkConsistency } from '@sightline/core/maintenance/check-consistency';
import { writingBy } from '../../support/fixtures/altered-database.ts';
import { seedCrowd } from '../../support/fixtures/seed-crowd.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
let modelId: number;

beforeAll(async () => {
  store = await openStoreFixture();
  modelId = store.faceModelId;
});

beforeEach(async () => {
  home = await store.environment();
});

afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

const remove = (id: number, deps: DeleteIdentityDeps = store) =>
  deleteIdentity(deps, { scope: home.scope, id });

function faceOf(identityId: number) {
  return { identityId, embedding: { modelId, vector: direction(10) }, enrolledBy: [modelId] };
}

describe('deleteIdentity', () => {
  test('deletes its detections, and images that show no other identity', async () => {
    const [ann, bob] = [await home.identity('Ann'), await home.identity('Bob')];
    const alone = await home.photo([faceOf(ann)], 'alone');
    const together = await home.photo([faceOf(ann), faceOf(bob)], 'together');
    await store.database.withEntities(
      { ...home.scope, locks: [{ entity: 'identity', id: ann, mode: 'exclusive' }] },
      (tx) => tx.identities.setCover(ann, together.ids[0]!),
    );
    await home.events();

    await remove(ann);
    expect(await home.events()).toEqual([
      {
        event: 'detection.deleted',
        data: {
          detection_ids: [alone.ids[0], together.ids[0]],
          external_refs: ['alone', 'together'],
        },
      },
      { event: 'identity.deleted', data: { identity_id: ann, external_ref: null } },
    ]);
    expect(await store.files(home.scope)).toEqual(
      expect.arrayContaining([together.source.mediaKey]),
    );
    expect(await store.files(home.scope)).toHaveLength(2);
    const findings = await checkConsistency(store, {
      orphanAgeMs: 0,
    });
    expect(findings).toEqual([]);
    await expect(remove(ann)).rejects.toMatchObject({ code: 'not_found' });
    await home.identity('Ann');
  });

  test('of one without detections emits one event', async () => {
    const ann = await home.identity('Ann');
    await home.events();
    await remove(ann);
    expect(await home.events()).toEqual([
      { event: 'identity.deleted', data: { identity_id: ann, external_ref: null } },
    ]);
  });

  test('does not affect another environment', async () => {
    const other = await store.environment();
    const ann = await other.identity('Ann');
    await expect(remove(ann)).rejects.toMatchObject({ code: 'not_found' });
    await expect(other.identity('Ann')).rejects.toMatchObject({ code: 'identity_exists' });
  });

  test('with 20,000 detections lets others write, and takes few locks', async () => {
    const crowd = await home.identity('Crowd');
    await seedCrowd(store, home, { identityId: crowd, count: 20_000 });
    await home.events();

    let written = 0;
    let next = Promise.withResolvers<undefined>();
    let isDeleting = true;
    let mostLocks = 0;
    const watch = async () => {
      while (isDeleting) {
        const [row] = await store.query<{ count: number }>(
          `SELECT count(*)::int AS count FROM pg_locks l JOIN pg_database d ON d.oid = l.database
           WHERE d.datname = current_database() AND l.locktype = 'advisory'`,
        );
        mostLocks = Math.max(mostLocks, row!.count);
      }
    };
    const write = async () => {
      while (isDeleting) {
        await home.photo([{ embedding: { modelId, vector: direction(40) } }]);
        written++;
        next.resolve(undefined);
        next = Promise.withResolvers<undefined>();
      }
    };
    // The removal of files in each step lasts until another writer has committed, so the deletion must let writers in
    // between its steps.
    const media = { remove: () => next.promise };
    const deletion = remove(crowd, { ...store, media }).finally(() => (isDeleting = false));
    await Promise.all([deletion, watch(), write(), write(), write()]);

    const events = await home.events();
    const names = events.map(({ event }) => event);
    const deletions = events.flatMap(({ event, data }) =>
      event === 'detection.deleted' ? [data.detection_ids.length] : [],
    );
    expect(deletions).toEqual(Array.from({ length: 40 }, () => 500));
    expect(names.at(-1)).toBe('identity.deleted');
    expect(written).toBeGreaterThanOrEqual(40);
    expect(mostLocks).toBeLessThan(600);
    const [left] = await store.query<{ detections: number; sources: number }>(
      `SELECT (SELECT count(*)::int FROM detections WHERE environment_id = $1) AS detections,
              (SELECT count(*)::int FROM source_images WHERE environment_id = $1) AS sources`,
      [home.scope.environmentId],
    );
    expect(left).toEqual({ detections: written, sources: written });
    expect(await store.maintenance.contradictions()).toEqual([]);
  });
});

describe('deleteIdentity in several steps', () => {
  const DETECTIONS = 1100;
  let crowd: number;

  beforeEach(async () => {
    crowd = await home.identity('Crowd');
    await seedCrowd(store, home, { identityId: crowd, count: DETECTIONS });
    const [face] = await rowsOf('detections');
    await store.database.withEntities(
      { ...home.scope, locks: [{ entity: 'identity', id: crowd, mode: 'exclusive' }] },
      (tx) => tx.identities.setCover(crowd, face!),
    );
    await home.events();
  });

  const rowsOf = async (
    table: 'detections' | 'identities' | 'face_references',
  ): Promise<readonly number[]> => {
    const rows = await store.query<{ id: number }>(
      `SELECT id FROM ${table} WHERE environment_id = $1 ORDER BY id`,
      [home.scope.environmentId],
    );
    return rows.map(({ id }) => id);
  };

  /** Returns the stores of a process that is killed after its first transaction. */
  const killed = (): DeleteIdentityDeps => {
    let isKilled = false;
    const { database } = store;
    return {
      media: { remove: () => Promise.reject(new Error('killed')) },
      database: writingBy(database, (...call) => {
        if (isKilled) return Promise.reject(new Error('killed'));
        isKilled = true;
        return database.withEntities(...call);
      }),
    };
  };

  const findings = () =>
    checkConsistency(
      // The stores are replaced, because the rows of a crowd have no files.
      { ...store, media: { ...store.media, list: noFiles, open: anyFile } },
      {},
    );

  test('hides it from the first step on, and frees its label', async () => {
    const before = await rowsOf('detections');
    await expect(remove(crowd, killed())).rejects.toThrow('killed');
    const left = await rowsOf('detections');
    expect(left).toHaveLength(DETECTIONS - 500);
    const page = { after: null, before: null, limit: null };
    await store.database.withScope(home.scope, async (stores) => {
      const { identities, detections, references, gallery, sources } = stores;
      expect(await identities.byId(crowd)).toBeNull();
      expect(await identities.details(crowd, modelId)).toBeNull();
      expect(await identities.byLabels('face', ['Crowd'])).toEqual([]);
      expect(await identities.list({}, page)).toMatchObject({ items: [] });
      expect(await references.list({}, page)).toMatchObject({ items: [] });
      expect(await detections.byIds(before)).toEqual([]);
      expect(await sources.count({ identityIds: [crowd] })).toBe(0);
      // Faces count for their images until their step.
      expect(await sources.count({ type: 'face' })).toBe(left.length);
      for (const kind of ['references', 'means'] as const) {
        const [reference] = await rowsOf('face_references');
        const found = { identityId: crowd, pointId: kind === 'means' ? crowd : reference! };
        expect(await gallery.live(modelId, kind, [found])).toEqual(new Map());
        expect(await gallery.tail(modelId, kind, 10)).toEqual([]);
      }
      expect(await gallery.means(modelId, [crowd])).toEqual([]);
      expect(await gallery.referencesOf(modelId, [crowd])).toEqual([]);
      expect(await stores.statistics.totals()).toMatchObject({ faceIdentities: 0 });
    });
    await expect(remove(crowd)).rejects.toMatchObject({ code: 'not_found' });
    const again = await home.identity('Crowd');
    expect(await rowsOf('identities')).toEqual([crowd, again]);
    expect(await findings()).toEqual([]);
  });

  test('is finished by another process after a crash', async () => {
    await expect(remove(crowd, killed())).rejects.toThrow('killed');
    await Promise.all([
      finishDeletions(store, { idleSeconds: 0 }),
      finishDeletions(store, { idleSeconds: 0 }),
    ]);
    expect(await rowsOf('identities')).toEqual([]);
    expect(await rowsOf('detections')).toEqual([]);
    const names = (await home.events()).map(({ event }) => event);
    expect(names).toEqual([
      'detection.deleted',
      'detection.deleted',
      'detection.deleted',
      'identity.deleted',
    ]);
    expect(await finishDeletions(store, { idleSeconds: 0 })).toBe(0);
    expect(await findings()).toEqual([]);
  });

  test('is left to the process that takes steps', async () => {
    await expect(remove(crowd, killed())).rejects.toThrow('killed');
    await expect(finishDeletions({ ...store, ...killed() }, { idleSeconds: 0 })).rejects.toThrow();
    await store.query(
      `UPDATE identities SET deleting_since = deleting_since - interval '2 minutes' WHERE id = $1`,
      [crowd],
    );
    expect(await finishDeletions(store, { idleSeconds: 60 })).toBe(0);
    await store.query(
      `UPDATE identities SET last_step_at = last_step_at - interval '2 minutes' WHERE id = $1`,
      [crowd],
    );
    expect(await finishDeletions(store, { idleSeconds: 60 })).toBe(1);
    expect(await rowsOf('identities')).toEqual([]);
  });

  test('is finished although another one fails', async () => {
    const other = await store.environment();
    const stuck = await other.identity('Stuck');
    await store.query('UPDATE identities SET deleting_since = now() WHERE id = $1', [stuck]);
    await expect(remove(crowd, killed())).rejects.toThrow('killed');
    const failing: DeleteIdentityDeps & Pick<StoreFixture, 'maintenance'> = {
      media: store.media,
      maintenance: store.maintenance,
      database: writingBy(store.database, (scope, ...call) =>
        scope.environmentId === other.scope.environmentId
          ? Promise.reject(new Error('broken'))
          : store.database.withEntities(scope, ...call),
      ),
    };
    await expect(finishDeletions(failing, { idleSeconds: 0 })).rejects.toMatchObject({
      errors: [expect.objectContaining({ message: 'broken' })],
    });
    expect(await rowsOf('identities')).toEqual([]);
    await finishDeletions(store, { idleSeconds: 0 });
  });

  test('is finished although a hundred older ones fail each time', async () => {
    const { scope } = await store.environment();
    await store.query(
      `INSERT INTO identities (environment_id, type, label, deleting_since)
       SELECT $1, 'face', i::text, now() FROM generate_series(1, 100) AS i`,
      [scope.environmentId],
    );
    const later = await store.environment();
    const last = await later.identity('Last');
    await store.query('UPDATE identities SET deleting_since = now() WHERE id = $1', [last]);
    const failing = {
      media: store.media,
      maintenance: store.maintenance,
      database: writingBy(store.database, (request, ...call) =>
        request.environmentId === scope.environmentId && request.locks[0]!.entity === 'environment'
          ? Promise.reject(new Error('broken'))
          : store.database.withEntities(request, ...call),
      ),
    };
    const isLeft = async () =>
      (await store.query('SELECT FROM identities WHERE id = $1', [last])).length === 1;
    await expect(finishDeletions(failing, { idleSeconds: 0 })).rejects.toThrow(AggregateError);
    expect(await isLeft()).toBe(true);
    await expect(finishDeletions(failing, { idleSeconds: 0 })).rejects.toThrow(AggregateError);
    expect(await isLeft()).toBe(false);
    await finishDeletions(store, { idleSeconds: 0 });
  });

  test('goes on after its caller has disconnected', async () => {
    const caller = new AbortController();
    const media = {
      remove: () => {
        caller.abort();
        return Promise.resolve();
      },
    };
    const request = { scope: home.scope, id: crowd };
    await deleteIdentity({ ...store, media }, request, { signal: caller.signal });
    expect(await rowsOf('identities')).toEqual([]);
  });

  test('leaves at each step the rows that the events imply', async () => {
    const remaining = {
      detections: await rowsOf('detections'),
      identities: await rowsOf('identities'),
    };
    const steps: (readonly unknown[])[] = [];
    const compare = async () => {
      for (const { event, data } of await home.events()) {
        if (event === 'detection.deleted') {
          remaining.detections = remaining.detections.filter(
            (id) => !data.detection_ids.includes(id),
          );
        } else if (event === 'identity.deleted') {
          remaining.identities = remaining.identities.filter((id) => id !== data.identity_id);
        } else throw new Error(event);
      }
      const rows = {
        detections: await rowsOf('detections'),
        identities: await rowsOf('identities'),
      };
      steps.push([rows, { ...remaining }]);
    };
    await remove(crowd, { ...store, media: { remove: compare } });
    expect(steps.length).toBeGreaterThanOrEqual(3);
    for (const [rows, expected] of steps) expect(rows).toEqual(expected);
  });

  test('forgets suggestions and rejections of other faces in steps, too', async () => {
    const ann = await home.identity('Ann');
    const { environmentId } = home.scope;
    await store.query(
      `INSERT INTO suggestions (environment_id, model_id, detection_id, identity_id, similarity)
       SELECT environment_id, $2, id, $3, 0.5 FROM detections WHERE environment_id = $1`,
      [environmentId, modelId, ann],
    );
    await store.query(
      `INSERT INTO rejected_pairs (environment_id, detection_id, identity_id)
       SELECT environment_id, id, $2 FROM detections WHERE environment_id = $1 ORDER BY id LIMIT 600`,
      [environmentId, ann],
    );
    await home.events();
    const left: (readonly number[])[] = [];
    const { database } = store;
    const counting = writingBy(database, async (...call) => {
      const result = await database.withEntities(...call);
      const [row] = await store.query<{ suggestions: number; rejections: number }>(
        `SELECT (SELECT count(*)::int FROM suggestions WHERE identity_id = $1) AS suggestions,
                (SELECT count(*)::int FROM rejected_pairs WHERE identity_id = $1) AS rejections`,
        [ann],
      );
      left.push([row!.suggestions, row!.rejections]);
      return result;
    });
    await remove(ann, { ...store, database: counting });
    expect(left).toEqual([
      [600, 600],
      [100, 600],
      [0, 200],
      [0, 0],
    ]);
    expect((await home.events()).map(({ event }) => event)).toEqual(['identity.deleted']);
    expect(await findings()).toEqual([]);
  });

  test('removes its suggestions before its detections', async () => {
    const { ids } = await home.photo(Array.from({ length: 600 }, () => ({})));
    await store.query(
      `INSERT INTO suggestions (environment_id, model_id, detection_id, identity_id, similarity)
       SELECT $1, $2, id, $3, 0.5 FROM unnest($4::bigint[]) AS id`,
      [home.scope.environmentId, modelId, crowd, ids],
    );
    await expect(remove(crowd, killed())).rejects.toThrow('killed');
    const left = await store.query('SELECT FROM suggestions WHERE identity_id = $1', [crowd]);
    expect([left.length, (await rowsOf('detections')).length]).toEqual([100, DETECTIONS + 600]);
    await finishDeletions(store, { idleSeconds: 0 });
    expect(await rowsOf('detections')).toEqual(ids);
  });

  test('lets an image of it be deleted meanwhile', async () => {
    await expect(remove(crowd, killed())).rejects.toThrow('killed');
    const [face] = (await rowsOf('detections')).slice(-1);
    const [image] = await store.query<{ id: number }>(
      'SELECT source_image_id AS id FROM detections WHERE id = $1',
      [face],
    );
    await deleteSource(store, { scope: home.scope, id: image!.id });
    await finishDeletions(store, { idleSeconds: 0 });
    expect(await rowsOf('detections')).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  test('is a finding if it has not ended after an hour', async () => {
    await expect(remove(crowd, killed())).rejects.toThrow('killed');
    await store.query(
      `UPDATE identities SET deleting_since = deleting_since - interval '61 minutes'
       WHERE deleting_since IS NOT NULL`,
    );
    expect(await findings()).toEqual([
      expect.stringMatching(/^The deletion of identity \d+ has not ended since .*\.$/),
    ]);
    await finishDeletions(store, { idleSeconds: 0 });
  });
});

async function* noFiles(): AsyncGenerator<never> {
  await Promise.resolve();
  yield* [];
}

function anyFile(): Promise<MediaObject> {
  return Promise.resolve({ size: 1, body: new ReadableStream() });
}

describe('deleteIdentities', () => {
  test('deletes those that exist, each once', async () => {
    const other = await store.environment();
    const foreign = await other.identity('Ann');
    const [ann, bob] = [await home.identity('Ann'), await home.identity('Bob')];
    await home.photo([faceOf(ann), faceOf(bob)]);
    await home.events();
    const ids = [bob, 2 ** 40, foreign, ann, bob];
    expect(await deleteIdentities(store, { scope: home.scope, ids })).toEqual({ deleted: 2 });
    expect((await home.events()).map(({ event }) => event)).toEqual([
      'detection.deleted',
      'identity.deleted',
      'detection.deleted',
      'identity.deleted',
    ]);
    expect(await store.files(home.scope)).toEqual([]);
    await expect(other.identity('Ann')).rejects.toMatchObject({ code: 'identity_exists' });
  });
});
