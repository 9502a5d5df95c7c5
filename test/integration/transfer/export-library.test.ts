import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { writeArchive } from '@sightline/archive-zip/write-archive';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteIdentity } from '@sightline/core/curation/delete-identity';
import { dismissFaces } from '@sightline/core/curation/dismiss-faces';
import { finishMerge } from '@sightline/core/curation/finish-merge';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { setIdentityCover } from '@sightline/core/curation/set-identity-cover';
import { setIdentityRef } from '@sightline/core/curation/set-identity-ref';
import { mediaKey } from '@sightline/core/media/media-key';
import { digestOf } from '@sightline/core/media/digest-of';
import type { MediaStore } from '@sightline/core/media/media-store';
import { exportLibrary, type ExportPart } from '@sightline/core/transfer/export-library';
import { changed } from '../../support/fixtures/changed.ts';
import { type ReadArchive, readArchive } from '../../support/fixtures/read-archive.ts';
import {
  AN_OBJECT,
  direction,
  type SeededEnvironment,
  type SeededFace,
} from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';

let store: StoreFixture;
let home: SeededEnvironment;
/** The ids of images that the export left out. */
let excluded: number[];

beforeAll(async () => {
  store = await openStoreFixture();
});
beforeEach(async () => {
  home = await store.environment();
  excluded = [];
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

function parts(
  identityIds: readonly number[] | null = null,
  deps: Partial<StoreFixture> = {},
): AsyncGenerator<ExportPart> {
  return exportLibrary(
    {
      database: store.database,
      media: store.media,
      ...deps,
      excluded: ({ id }) => excluded.push(id),
      identitiesExcluded: (count) => {
        throw new Error(`${count} identities were left out.`);
      },
    },
    { scope: home.scope, identityIds },
  );
}

async function archiveOf(taken: AsyncIterable<ExportPart>, isWhole = true): Promise<ReadArchive> {
  const origin = { createdAt: new Date(), product: '1.2.3', isWhole };
  return readArchive(Buffer.concat(await Array.fromAsync(writeArchive(taken, origin))));
}

/**
 * Runs an action before the export reads the first page of images, and yields the parts of the
 * archive.
 */
async function* meanwhile(
  taken: AsyncIterable<ExportPart>,
  act: () => Promise<unknown>,
): AsyncGenerator<ExportPart> {
  for await (const part of taken) {
    yield part;
    if (part.part === 'beginning') await act();
  }
}

function enrolled(identityId: number, degrees: number): SeededFace {
  const modelId = store.faceModelId;
  const embedding = { modelId, vector: direction(degrees) };
  return { identityId, embedding, enrolledBy: [modelId], similarity: 0.75 };
}

const act = (
  action: 'confirm' | 'reject' | 'unassign',
  id: number,
  identityId?: number,
): Promise<unknown> =>
  actOnFace(store, {
    scope: home.scope,
    id,
    action,
    ...(identityId !== undefined && { target: { identityId } }),
  });

describe('an archive of everything', () => {
  test('has each kind of record with all that is stored of it', async () => {
    const [ada, bus] = [await home.identity('Ada'), await home.identity('bus', 'object')];
    await setIdentityRef(store, { scope: home.scope, id: ada, externalRef: 'hr/7' });
    const { source, ids } = await home.photo(
      [
        {
          ...enrolled(ada, 30),
          landmarks: [1, 2, 3, 4, 5].map((x) => ({ x, y: 2 * x })),
          age: 31,
          gender: 'F',
          pose: [1.5, -2, 0.25],
          turned: 90,
        },
        {
          ...AN_OBJECT,
          identityId: bus,
          reviewStatus: 'confirmed',
          bbox: { x: 0.5, y: 1, w: 2, h: 3 },
        },
        { identityId: ada, isManual: true, confidence: 1, quality: null },
      ],
      'album/1',
    );
    const [face, object, drawn] = ids;
    await store.query('UPDATE source_images SET taken_at = $2 WHERE id = $1', [
      source.id,
      new Date('2024-05-06T05:08:09Z'),
    ]);
    await setIdentityCover(store, { scope: home.scope, id: ada, detectionId: face! });
    await act('reject', drawn!);
    await dismissFaces(store, { scope: home.scope, ids: [drawn!], action: 'dismiss' });
    await home.change(face!, 'mismatch_reviewed = true');

    const archive = await archiveOf(parts());
    expect(archive.head).toMatchObject({ product: '1.2.3', whole: true });
    expect(archive.identities).toEqual([
      {
        identity: ada,
        type: 'face',
        label: 'Ada',
        external_ref: 'hr/7',
        created_at: expect.stringMatching(/Z$/),
      },
      expect.objectContaining({ identity: bus, type: 'object', label: 'bus', external_ref: null }),
    ]);
    expect(archive.models).toEqual([
      expect.objectContaining({ model: store.faceModelId, embedding_dim: direction(0).length }),
    ]);
    const [image] = archive.images;
    expect(image).toMatchObject({
      image: source.id,
      digest: source.digest,
      size: 5000,
      format: 'jpeg',
      width: 640,
      height: 480,
      external_ref: 'album/1',
      uploaded_at: source.uploadedAt.toISOString(),
      taken_at: '2024-05-06T05:08:09.000Z',
      file: { path: `images/${source.id}.jpg`, width: 640, height: 480 },
      original: null,
    });
    expect(image!.detections).toEqual([
      {
        detection: face,
        type: 'face',
        bbox: { x: 10, y: 10, w: 100, h: 120 },
        confidence: 0.9,
        quality: 0.9,
        landmarks: [1, 2, 3, 4, 5].map((x) => ({ x, y: 2 * x })),
        class_name: null,
        class_id: null,
        identity: ada,
        is_cover: true,
        similarity: 0.75,
        review_status: 'confirmed',
        decided_by: 'human',
        is_manual: false,
        dismissed_at: null,
        mismatch_reviewed: true,
        embedding_source: 'aligned',
        age: 31,
        gender: 'F',
        pose: [1.5, -2, 0.25],
        turned: 90,
        detected_at: expect.stringMatching(/Z$/),
        crop: expect.objectContaining({ path: `crops/${face}.jpg`, size: 64 }),
        vectors: [
          {
            model: store.faceModelId,
            offset: 0,
            reference: { created_at: expect.stringMatching(/Z$/) },
          },
        ],
        rejected_from: [],
      },
      expect.objectContaining({
        detection: object,
        type: 'object',
        identity: bus,
        class_name: 'bicycle',
        class_id: 1,
        is_cover: false,
        vectors: [],
      }),
      expect.objectContaining({
        detection: drawn,
        is_manual: true,
        identity: null,
        review_status: 'rejected',
        decided_by: 'human',
        dismissed_at: expect.stringMatching(/Z$/),
        rejected_from: [
          { identity: ada, is_latest: true, rejected_at: expect.stringMatching(/Z$/) },
        ],
      }),
    ]);
    expect(Object.values(archive.vectorsOf(image!.detections[0]!))).toEqual([direction(30)]);
  });

  test('has the vectors of all models, and the references of each', async () => {
    const ada = await home.identity('Ada');
    const { ids } = await home.photo([enrolled(ada, 30)]);
    await home.embed(ids[0]!, store.retiredFaceModelId, direction(77));
    const archive = await archiveOf(parts());
    const [face] = archive.detections;
    expect(archive.models.map(({ name }) => name).toSorted()).toEqual(['faces', 'retired']);
    expect(archive.vectorsOf(face!)).toEqual({ faces: direction(30), retired: direction(77) });
    const enrolledBy = face!.vectors.filter(({ reference }) => reference !== null);
    expect(enrolledBy.map(({ model }) => model)).toEqual([store.faceModelId]);
  });

  test('has the file that was posted, if it was kept', async () => {
    const bytes = randomBytes(100);
    const digest = digestOf(bytes);
    const key = mediaKey(home.scope.environmentId, 'originals', { digest, extension: 'png' });
    await store.media.put(key, bytes);
    const { source } = await home.photo([]);
    await store.query(
      'UPDATE source_images SET original_key = $2, size_bytes = 100 WHERE id = $1',
      [source.id, key],
    );
    const { images, files } = await archiveOf(parts());
    const path = `originals/${source.id}.png`;
    expect(images[0]!.original).toEqual({ path, sha256: digest, size: 100 });
    expect(files.get(path)).toEqual(bytes);
  });

  test('has identities without detections and images without findings', async () => {
    const ada = await home.identity('Ada');
    const { source } = await home.photo([]);
    const { identities, images, models } = await archiveOf(parts());
    expect(identities.map(({ identity }) => identity)).toEqual([ada]);
    expect(images).toEqual([expect.objectContaining({ image: source.id, detections: [] })]);
    expect(models).toEqual([]);
  });

  test('has nothing of another environment', async () => {
    const other = await store.environment();
    await other.photo([{ identityId: await other.identity('Eve') }]);
    expect(await archiveOf(parts())).toMatchObject({ identities: [], images: [], pages: 0 });
  });

  test('is written in pages of few images and detections', async () => {
    for (let index = 0; index < 101; index++) await home.photo([]);
    const { pages, images } = await archiveOf(parts());
    expect(pages).toBe(2);
    expect(images).toHaveLength(101);
  });
});

describe('an archive of some identities', () => {
  test('has what is assigned to them or was rejected from them, and the images of that', async () => {
    const [ada, bob, eve] = [
      await home.identity('Ada'),
      await home.identity('Bob'),
      await home.identity('Eve'),
    ];
    const both = await home.photo([enrolled(ada, 0), enrolled(bob, 90), {}]);
    const rejected = await home.photo([{ identityId: ada }, { identityId: eve }]);
    await act('reject', rejected.ids[0]!);
    const elsewhere = await home.photo([enrolled(eve, 10)]);
    await home.reject(elsewhere.ids[0]!, ada);
    await home.reject(elsewhere.ids[0]!, bob);
    await home.photo([{ identityId: bob }, {}]);

    const archive = await archiveOf(parts([ada, 999_999_999]), false);
    expect(archive.head.whole).toBe(false);
    expect(archive.identities.map(({ label }) => label)).toEqual(['Ada']);
    expect(archive.images.map(({ image }) => image)).toEqual([
      both.source.id,
      rejected.source.id,
      elsewhere.source.id,
    ]);
    expect(archive.detections).toEqual([
      expect.objectContaining({ detection: both.ids[0], identity: ada }),
      expect.objectContaining({
        detection: rejected.ids[0],
        identity: null,
        review_status: 'rejected',
        rejected_from: [expect.objectContaining({ identity: ada })],
      }),
      // The archive does not contain Eve.
      expect.objectContaining({
        detection: elsewhere.ids[0],
        identity: null,
        review_status: 'pending',
        decided_by: 'automatic',
        similarity: null,
        vectors: [expect.objectContaining({ reference: null })],
        rejected_from: [expect.objectContaining({ identity: ada })],
      }),
    ]);
  });

  test('is empty for none and for those of others', async () => {
    const other = await store.environment();
    const eve = await other.identity('Eve');
    await other.photo([{ identityId: eve }]);
    await home.photo([{ identityId: await home.identity('Ada') }]);
    for (const ids of [[], [eve]]) {
      expect(await archiveOf(parts(ids), false)).toMatchObject({ identities: [], images: [] });
    }
  });
});

describe('while others write', () => {
  test('faces of an identity created after the start are exported as undecided', async () => {
    const ada = await home.identity('Ada');
    const { ids } = await home.photo([enrolled(ada, 0), {}]);
    const archive = await archiveOf(
      meanwhile(parts(), async () => {
        const late = await home.identity('Late');
        await act('confirm', ids[0]!, late);
        await home.reject(ids[1]!, late);
      }),
    );
    expect(archive.identities.map(({ label }) => label)).toEqual(['Ada']);
    expect(archive.detections).toEqual([
      expect.objectContaining({ detection: ids[0], identity: null, review_status: 'pending' }),
      expect.objectContaining({ detection: ids[1], rejected_from: [] }),
    ]);
  });

  test('what merges is of the target, also before its rows have moved', async () => {
    const [from, into, lone] = [
      await home.identity('From'),
      await home.identity('Into'),
      await home.identity('Lone'),
    ];
    const { ids } = await home.photo([enrolled(from, 0), enrolled(lone, 90)]);
    await home.reject(ids[1]!, from);
    const merging = `UPDATE identities SET deleting_since = now(), merged_into = $2 WHERE id = $1`;
    const archive = await archiveOf(meanwhile(parts(), () => store.query(merging, [from, into])));
    expect(archive.detections).toEqual([
      expect.objectContaining({ detection: ids[0], identity: into }),
      expect.objectContaining({
        identity: lone,
        rejected_from: [expect.objectContaining({ identity: into })],
      }),
    ]);
    expect((await archiveOf(parts([into]), false)).detections).toEqual([
      expect.objectContaining({ detection: ids[0], identity: into }),
      expect.objectContaining({ detection: ids[1], identity: null }),
    ]);
    await store.query(
      'UPDATE identities SET deleting_since = NULL, merged_into = NULL WHERE id = $1',
      [from],
    );
    await mergeIdentity(store, { scope: home.scope, id: from, into });
    expect((await archiveOf(parts())).detections[0]).toMatchObject({ identity: into });
  });

  test('a face that was rejected from its identity is as the merge will leave it', async () => {
    const [from, into] = [await home.identity('From'), await home.identity('Into')];
    const { ids } = await home.photo([
      enrolled(into, 0),
      { identityId: into, similarity: 0.6 },
      { identityId: from, similarity: 0.6 },
    ]);
    await home.reject(ids[0]!, from);
    await home.reject(ids[1]!, from);
    await home.reject(ids[2]!, into);
    const merging = `UPDATE identities SET deleting_since = now(), merged_into = $2 WHERE id = $1`;
    await store.query(merging, [from, into]);
    const early = await archiveOf(parts());
    const some = await archiveOf(parts([into]), false);
    await finishMerge(store, { scope: home.scope, merge: { from, into } });
    const late = await archiveOf(parts());
    expect(early.detections).toEqual(late.detections);
    expect(some.detections).toEqual(late.detections);
    expect(late.detections).toEqual([
      expect.objectContaining({ identity: into, rejected_from: [] }),
      expect.objectContaining({ identity: null, rejected_from: [expect.anything()] }),
      expect.objectContaining({ identity: null, rejected_from: [expect.anything()] }),
    ]);
  });

  test('a deleted identity is not in it, even before its rows are deleted', async () => {
    const [ada, bob] = [await home.identity('Ada'), await home.identity('Bob')];
    const { ids } = await home.photo([enrolled(ada, 0), enrolled(bob, 90)]);
    await home.photo([enrolled(ada, 5)]);
    const archive = await archiveOf(
      meanwhile(parts(), () =>
        store.query('UPDATE identities SET deleting_since = now() WHERE id = $1', [ada]),
      ),
    );
    expect(archive.detections).toEqual([expect.objectContaining({ detection: ids[1] })]);
    expect(await archiveOf(parts([ada]), false)).toMatchObject({ identities: [], images: [] });
    await store.query('UPDATE identities SET deleting_since = NULL WHERE id = $1', [ada]);
    const again = await archiveOf(
      meanwhile(parts(), () => deleteIdentity(store, { scope: home.scope, id: ada })),
    );
    expect(again.images).toHaveLength(1);
  });

  test('images that are posted after the beginning are not in it', async () => {
    const { source } = await home.photo([]);
    const archive = await archiveOf(meanwhile(parts(), () => home.photo([])));
    expect(archive.images.map(({ image }) => image)).toEqual([source.id]);
  });

  test('no transaction is open while the reader waits', async () => {
    for (let index = 0; index < 3; index++) await home.photo([{}]);
    const taken: string[] = [];
    for await (const { part } of parts()) {
      // The request that ends the last transaction may still be in flight. If a transaction stays
      // open, the test times out.
      while ((await openTransactions()) > 0) await setTimeout(10);
      taken.push(part);
    }
    expect(new Set(taken)).toEqual(new Set(['beginning', 'file', 'page', 'end']));
  });

  async function openTransactions(): Promise<number> {
    const [row] = await store.query<{ count: number }>(
      `SELECT count(*) FROM pg_stat_activity
       WHERE datname = current_database() AND state LIKE 'idle in%'`,
    );
    return row!.count;
  }
});

describe('a file that is not there', () => {
  const remove = (key: string) => rm(join(store.mediaFolder, 'objects', key));

  test('keeps its image out of the archive, which is sound without it', async () => {
    const [gone, damaged, whole] = [
      await home.photo([{}]),
      await home.photo([{}]),
      await home.photo([{}]),
    ];
    await remove((await home.detection(gone.ids[0]!))!.cropKey);
    const { mediaKey: key } = damaged.source;
    await store.media.remove([key]);
    await store.media.put(key, randomBytes(64));
    const taken = await Array.fromAsync(parts());
    expect(taken.find(({ part }) => part === 'page')).toMatchObject({ requested: 3, excluded: 2 });
    expect(excluded.toSorted((a, b) => a - b)).toEqual([gone.source.id, damaged.source.id]);
    excluded = [];
    const { images } = await archiveOf(parts());
    expect(images.map(({ image }) => image)).toEqual([whole.source.id]);
  });

  test('has gone with a detection that was replaced: the archive has what is there now', async () => {
    const { source, ids } = await home.photo([{}, {}]);
    const { cropKey } = (await home.detection(ids[0]!))!;
    let isReplaced = false;
    const open: MediaStore['open'] = async (key, ...call) => {
      if (!isReplaced && key === cropKey) {
        isReplaced = true;
        await store.query('DELETE FROM detections WHERE id = $1', [ids[0]]);
        await remove(cropKey);
      }
      return store.media.open(key, ...call);
    };
    const media = changed(store.media, { open });
    const { images } = await archiveOf(parts(null, { media }));
    expect(images).toEqual([
      expect.objectContaining({
        image: source.id,
        detections: [expect.objectContaining({ detection: ids[1] })],
      }),
    ]);
    expect(excluded).toEqual([]);
  });
});
