import { beforeEach, describe, expect, jest, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import type { Database, Stores } from '@sightline/core/database/database';
import { digestOf } from '@sightline/core/media/digest-of';
import { ORPHAN_GRACE_MS } from '@sightline/core/media/orphan-grace';
import type { ImagePlan } from '@sightline/core/recognition/plan/image-plan';
import { analyzeImage } from '@sightline/core/recognition/run/analyze-image';
import { readBeforeRun } from '@sightline/core/recognition/state/read-stored-image';
import { storeImage } from '@sightline/core/recognition/store-image';
import {
  aroundRecognition,
  faceAt,
  photo,
  type RecognitionFixture,
  type RecognitionTurn,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: RecognitionTurn['guest'];

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

/** The number of times that the image file was read. */
let reads: number;
let plans: ImagePlan[];
/** The action of another request between the first plan and the transaction. */
let meanwhile: () => Promise<unknown>;
/** Called right after the commit of the transaction. */
let committed: () => void;

beforeEach(() => {
  reads = 0;
  plans = [];
  meanwhile = () => Promise.resolve();
  committed = () => undefined;
  fixture.scenes.set('photo', { faces: [faceAt(0)] });
});

function counted<T extends Stores>(stores: T): T {
  const read = stores.sources.byDigest.bind(stores.sources);
  stores.sources.byDigest = (digest) => {
    reads++;
    return read(digest);
  };
  return stores;
}

function observed(): Database {
  const { database } = fixture.store;
  return {
    withScope: (scope, read, signal) =>
      database.withScope(scope, (stores) => read(counted(stores)), signal),
    async withEntities(scope, write, signal) {
      await meanwhile();
      meanwhile = () => Promise.resolve();
      const result = await database.withEntities(scope, (tx) => write(counted(tx)), signal);
      committed();
      return result;
    },
    deferred: () => database.deferred(),
    ready: (signal) => database.ready(signal),
  };
}

/** Stores the faces of the photo; no face is recognized. */
async function store(replace = false) {
  const deps = fixture.process({ database: observed() });
  const { scope } = home;
  const image = photo('photo');
  const digest = digestOf(image);
  const { settings, stored } = await readBeforeRun(deps.database, { scope, digest });
  const kind = replace ? 'replace' : 'compare';
  const input = { scope, settings, digest, kind, named: null, of: { externalRef: null } } as const;
  const find = { faces: true, objects: false };
  const run = await analyzeImage(deps, { ...input, image, find, needs: [] });
  return storeImage(
    deps,
    { run: { ...run, proposals: null }, stored },
    { check: (plan) => plans.push(plan), finish: (_, __, result) => Promise.resolve(result) },
  );
}

describe('the stored state of an image is read twice, with one plan', () => {
  test('if the image is new', async () => {
    expect((await store()).reused).toBe(false);
    expect([reads, plans.length]).toEqual([2, 1]);
  });

  test('if the stored image stays the same', async () => {
    await store();
    [reads, plans] = [0, []];
    expect((await store()).reused).toBe(true);
    expect([reads, plans.length]).toEqual([2, 1]);
  });

  test('and once more under each lock that the plan adds, without another plan', async () => {
    await store();
    [reads, plans] = [0, []];
    await store(true);
    expect([reads, plans.length]).toEqual([3, 1]);
  });
});

describe('a second plan is made under the lock', () => {
  test('if another request has stored the image', async () => {
    meanwhile = () => guest.detect('photo');
    const { reused, faces } = await store();
    expect([reused, faces[0]!.created]).toEqual([true, false]);
    expect([reads, plans.length]).toEqual([2, 2]);
  });

  test('if another request has labeled a face', async () => {
    const { id } = (await store()).faces[0]!.detection;
    [reads, plans] = [0, []];
    meanwhile = () =>
      actOnFace(fixture.store, {
        scope: home.scope,
        id,
        action: 'relabel',
        target: { label: 'Ann' },
      });
    expect((await store()).faces[0]!.detection).toMatchObject({ id, label: 'Ann' });
    expect([reads, plans.length]).toEqual([2, 2]);
  });

  test('with files that are put again, if the process was paused for too long', async () => {
    meanwhile = async () => {
      const orphans = await fixture.store.files(home.scope);
      const now = Date.now();
      jest.spyOn(Date, 'now').mockImplementation(() => now + ORPHAN_GRACE_MS);
      await fixture.store.media.remove(orphans);
    };
    try {
      expect((await store()).reused).toBe(false);
    } finally {
      jest.restoreAllMocks();
    }
    expect(await fixture.store.files(home.scope)).toHaveLength(2);
  });

  test('if another request has deleted the image, whose files are put then', async () => {
    const { id } = (await store()).faces[0]!.detection;
    [reads, plans] = [0, []];
    meanwhile = () => deleteDetections(fixture.store, { scope: home.scope, ids: [id] });
    expect((await store()).reused).toBe(false);
    expect(plans).toHaveLength(2);
  });
});

test('the files of a row stay, however long the process was paused after the commit', async () => {
  committed = () => {
    const now = Date.now();
    jest.spyOn(Date, 'now').mockImplementation(() => now + ORPHAN_GRACE_MS);
  };
  try {
    expect((await store()).reused).toBe(false);
  } finally {
    jest.restoreAllMocks();
  }
  expect(await fixture.store.files(home.scope)).toHaveLength(2);
});
