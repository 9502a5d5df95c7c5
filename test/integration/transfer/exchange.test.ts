import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { zipArchiveReader } from '@sightline/archive-zip/reading/open-archive';
import {
  type SampleArchive,
  sampleFiles,
  zipOf,
} from '@sightline/archive-zip/testing/sample-archive';
import { writeArchive } from '@sightline/archive-zip/write-archive';
import { mergeIdentity } from '@sightline/core/curation/merge-identity';
import { localFileOf } from '@sightline/core/media/testing/local-file-of';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { exportLibrary } from '@sightline/core/transfer/export-library';
import { importArchive } from '@sightline/core/transfer/import-archive';
import {
  openRecognition,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import { portableRows } from '../../support/fixtures/portable-rows.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

/** An installation with one library. */
interface Installation {
  readonly fixture: RecognitionFixture;
  readonly home: SeededEnvironment;
}

let here: Installation;
let there: Installation;

beforeAll(async () => {
  [here, there] = [await open(), await open()];
});
afterAll(async () => {
  for (const { fixture } of [here, there]) {
    expect(await fixture.findings()).toEqual([]);
    await fixture[Symbol.asyncDispose]();
  }
});

async function open(): Promise<Installation> {
  const fixture = await openRecognition();
  // The extra environment makes ids differ from those of other installations.
  await fixture.store.environment();
  return { fixture, home: await fixture.store.environment() };
}

async function exportFrom({ fixture, home }: Installation): Promise<Uint8Array> {
  const { database, media } = fixture.store;
  const excluded = ({ id }: { readonly id: number }) => {
    throw new Error(`Image ${id} was left out.`);
  };
  const identitiesExcluded = (count: number) => {
    throw new Error(`${count} identities were left out.`);
  };
  const { scope } = home;
  const deps = { database, media, excluded, identitiesExcluded };
  const parts = exportLibrary(deps, { scope, identityIds: null });
  const origin = { createdAt: new Date(), product: '0.1.0', isWhole: true };
  return Buffer.concat(await Array.fromAsync(writeArchive(parts, origin)));
}

async function importInto({ fixture, home }: Installation, zip: Uint8Array) {
  const { database, media, models: modelStore } = fixture.store;
  const deps = { database, media, modelStore, archives: zipArchiveReader };
  return importArchive(deps, { scope: home.scope, file: localFileOf(zip) });
}

function rowsOf({ fixture, home }: Installation): Promise<readonly unknown[]> {
  return portableRows(
    (text, values) => fixture.store.query(text, values),
    home.scope.environmentId,
  );
}

const AT = '2026-01-02T03:04:05.678Z';
const ACTIVE = { name: FACE_MODEL.name, revision: FACE_MODEL.revision, embedding_dim: 2 };
const PREVIOUS = { name: 'previous', revision: 'c'.repeat(64), embedding_dim: 3 };
const HUMAN = { decided_by: 'human' } as const;
const boxAt = (index: number) => ({ x: index * 60, y: 0, w: 50, h: 50 });

/**
 * Images that only this library has, images that both have, and decisions about the other library's
 * photo.
 */
const HERE: SampleArchive = {
  models: [ACTIVE, PREVIOUS],
  identities: [
    { label: 'Ann', external_ref: 'a' },
    { label: 'Bea', created_at: AT },
    { label: 'dog', type: 'object' },
    { label: 'Nobody' },
  ],
  images: [
    {
      digest: '1'.repeat(64),
      external_ref: 'one',
      detections: [
        { bbox: boxAt(0), identity: 1, is_cover: true, looks: { 1: direction(10) }, turned: 90 },
        {
          ...HUMAN,
          bbox: boxAt(1),
          review_status: 'rejected',
          looks: { 1: direction(50) },
          rejected_from: [
            { identity: 1, is_latest: false, rejected_at: AT },
            { identity: 2, is_latest: true, rejected_at: '2026-01-03T03:04:05.678Z' },
          ],
        },
        {
          ...HUMAN,
          bbox: boxAt(2),
          identity: 2,
          mismatch_reviewed: true,
          looks: { 2: Float32Array.of(0, 0.6, 0.8) },
        },
        { bbox: boxAt(3), dismissed_at: AT, looks: { 1: direction(80) } },
        { type: 'object', bbox: boxAt(4), identity: 3, class_name: 'dog', class_id: 16 },
        { ...HUMAN, type: 'object', bbox: boxAt(5), is_manual: true, confidence: 1, quality: null },
      ],
    },
    { digest: '2'.repeat(64), detections: [{ bbox: boxAt(0), looks: { 1: direction(20) } }] },
    { digest: '4'.repeat(64) },
  ],
};

const THERE: SampleArchive = {
  models: [ACTIVE],
  identities: [{ label: 'Ann' }, { label: 'Cem', external_ref: 'c' }],
  images: [
    // This library does not know the face's identity.
    {
      digest: '2'.repeat(64),
      detections: [
        { ...HUMAN, bbox: boxAt(0), identity: 2, is_cover: true, looks: { 1: direction(20) } },
        {
          ...HUMAN,
          bbox: boxAt(3),
          identity: 1,
          is_manual: true,
          confidence: 1,
          looks: { 1: direction(12) },
        },
      ],
    },
    {
      digest: '3'.repeat(64),
      external_ref: 'three',
      detections: [{ bbox: boxAt(0), identity: 1, looks: { 1: direction(11) } }],
    },
  ],
};

test('two installations that exchange their archives end with the same rows', async () => {
  await importInto(here, await zipOf(sampleFiles(HERE)));
  await importInto(there, await zipOf(sampleFiles(THERE)));
  const mine = await rowsOf(here);

  const fromHere = await exportFrom(here);
  const fromThere = await exportFrom(there);
  expect(await importInto(there, fromHere)).toMatchObject({
    imagesCreated: 2,
    identitiesMerged: 1,
  });
  expect(await importInto(here, fromThere)).toMatchObject({
    imagesCreated: 1,
    identitiesMerged: 1,
  });
  const rows = await rowsOf(here);
  expect(await rowsOf(there)).toEqual(rows);
  expect(rows).not.toEqual(mine);

  // A second exchange changes nothing.
  const again = {
    imagesCreated: 0,
    detectionsCreated: 0,
    embeddingsCreated: 0,
    identitiesCreated: 0,
  };
  expect(await importInto(here, await exportFrom(there))).toMatchObject(again);
  expect(await importInto(there, await exportFrom(here))).toMatchObject(again);
  expect(await rowsOf(here)).toEqual(rows);
  expect(await rowsOf(there)).toEqual(rows);
});

test('an archive that moves to an empty installation brings everything', async () => {
  const empty = await here.fixture.store.environment();
  const moved = { fixture: here.fixture, home: empty };
  await importInto(moved, await exportFrom(here));
  expect(await rowsOf(moved)).toEqual(await rowsOf(here));
});

test('identities that were merged move as one, and back', async () => {
  const { fixture } = here;
  const library = { fixture, home: await fixture.store.environment() };
  await importInto(library, await zipOf(sampleFiles(HERE)));
  const idOf = async (label: string) => {
    const [row] = await fixture.store.query<{ id: number }>(
      'SELECT id FROM identities WHERE environment_id = $1 AND label = $2',
      [library.home.scope.environmentId, label],
    );
    return row!.id;
  };
  // The remaining identity has a face that was rejected from both.
  const merge = { id: await idOf('Bea'), into: await idOf('Ann') };
  await mergeIdentity(fixture.store, { scope: library.home.scope, ...merge });
  const rows = await rowsOf(library);
  const moved = { fixture: there.fixture, home: await there.fixture.store.environment() };
  await importInto(moved, await exportFrom(library));
  expect(await rowsOf(moved)).toEqual(rows);
  expect(await importInto(library, await exportFrom(moved))).toMatchObject({
    identitiesCreated: 0,
    detectionsCreated: 0,
    embeddingsCreated: 0,
  });
  expect(await rowsOf(library)).toEqual(rows);
});

test('what is written is read, however well it could be compressed', async () => {
  const external_ref = '\u0001'.repeat(1000);
  const identities = Array.from({ length: 400 }, (_, at) => ({
    label: `Same ${at}`,
    external_ref,
  }));
  await importInto(here, await zipOf(sampleFiles({ identities })));
  const zip = await exportFrom(here);
  expect(zip.length).toBeLessThan(JSON.stringify(identities).length / 2);
  expect(await importInto(there, zip)).toMatchObject({ identitiesCreated: identities.length });
});
