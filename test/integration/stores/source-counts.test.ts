import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { SourceImage } from '@sightline/core/sources/source-image';
import { sampleFace, sampleObject, sampleSource } from '../../support/fixtures/sample-records.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let store: StoreFixture;
let home: SeededEnvironment;

beforeAll(async () => {
  store = await openStoreFixture();
  home = await store.environment();
});
afterAll(async () => {
  await store[Symbol.asyncDispose]();
});

/** Stores images with two faces, one of them drawn, and an object. */
async function images(amount: number): Promise<readonly SourceImage[]> {
  const { scope } = home;
  return store.database.withEntities(
    { ...scope, locks: [{ entity: 'environment' }] },
    async (tx) => {
      const sources: SourceImage[] = [];
      for (let i = 0; i < amount; i++) {
        const source = await tx.sources.insert(sampleSource(scope));
        const drawn = sampleFace(scope, { isManual: true });
        await tx.detections.insert(source, [sampleFace(scope), drawn, sampleObject(scope)]);
        sources.push(source);
      }
      return sources;
    },
  );
}

const countsOf = async (sources: readonly SourceImage[]): Promise<readonly number[][]> => {
  const rows = await store.query<{ counts: number[] }>(
    `SELECT ARRAY[face_count, object_count, tagged_face_count, manual_count, detection_count, traits]
       AS counts
     FROM source_images WHERE id = any($1) ORDER BY id`,
    [sources.map(({ id }) => id)],
  );
  return rows.map(({ counts }) => counts);
};

const versionsOf = (sources: readonly SourceImage[]) =>
  store.query(`SELECT ctid, xmin FROM source_images WHERE id = any($1) ORDER BY id`, [
    sources.map(({ id }) => id),
  ]);

test('every statement on detections counts in their images', async () => {
  const [a, b] = (await images(2)) as [SourceImage, SourceImage];
  const untouched = await images(1);
  expect(await countsOf([a, b])).toEqual([
    [2, 1, 0, 1, 3, 11],
    [2, 1, 0, 1, 3, 11],
  ]);
  const ada = await home.identity('Ada');
  await store.query(
    `UPDATE detections SET identity_id = $1
     WHERE source_image_id = any($2) AND type = 'face' AND NOT is_manual`,
    [ada, [a.id, b.id]],
  );
  expect(await countsOf([a, b])).toEqual([
    [2, 1, 1, 1, 3, 15],
    [2, 1, 1, 1, 3, 15],
  ]);
  await store.query(
    `UPDATE detections SET source_image_id = $1 WHERE source_image_id = $2 AND type = 'face'`,
    [a.id, b.id],
  );
  expect(await countsOf([a, b])).toEqual([
    [4, 1, 2, 2, 5, 15],
    [0, 1, 0, 0, 1, 2],
  ]);
  await store.query(`DELETE FROM detections WHERE source_image_id = any($1) AND type = 'object'`, [
    [a.id, b.id],
  ]);
  expect(await countsOf([a, b, ...untouched])).toEqual([
    [4, 0, 2, 2, 4, 13],
    [0, 0, 0, 0, 0, 0],
    [2, 1, 0, 1, 3, 11],
  ]);
  expect(await store.maintenance.contradictions()).toEqual([]);
});

test('a merge and a review change no row of an image', async () => {
  const sources = await images(2);
  const ids = sources.map(({ id }) => id);
  const [bo, cy] = [await home.identity('Bo'), await home.identity('Cy')];
  const assign = `UPDATE detections SET identity_id = $1, review_status = 'confirmed'
    WHERE source_image_id = any($2) AND type = 'face'`;
  await store.query(assign, [bo, ids]);
  const before = await versionsOf(sources);
  await store.query(assign, [cy, ids]);
  await store.query(`UPDATE detections SET dismissed_at = now() WHERE source_image_id = any($1)`, [
    ids,
  ]);
  await store.query(`DELETE FROM detections WHERE false`);
  expect(await versionsOf(sources)).toEqual(before);
});

test('statements about the same images lose no count of each other', async () => {
  const sources = await images(40);
  const ids = sources.map(({ id }) => id);
  const dee = await home.identity('Dee');
  // These updates take none of the locks that serialize the service's own writes, so they run concurrently.
  const turn = (identity: number | null, direction: 'ASC' | 'DESC') =>
    store.query(
      `UPDATE detections d SET identity_id = $1
       FROM (SELECT id FROM detections WHERE source_image_id = any($2) AND type = 'face'
               AND is_manual = $3 ORDER BY id ${direction}) AS chosen
       WHERE d.id = chosen.id`,
      [identity, ids, direction === 'ASC'],
    );
  for (let i = 0; i < 5; i++) {
    const identity = i % 2 === 0 ? dee : null;
    await Promise.all([turn(identity, 'ASC'), turn(identity, 'DESC')]);
  }
  expect(new Set((await countsOf(sources)).map(String))).toEqual(new Set(['2,1,2,1,3,15']));
});

test('counts that are wrong are reported', async () => {
  const [source] = (await images(1)) as [SourceImage];
  await store.query('UPDATE source_images SET tagged_face_count = 9 WHERE id = $1', [source.id]);
  expect(await store.maintenance.contradictions()).toEqual([
    `Source image ${source.id} counts 2 faces, 1 objects, 9 tagged, 1 drawn: there are 2, 1, 0, 1.`,
  ]);
});
