import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { deleteDetections } from '@sightline/core/curation/delete-detections';
import type { Database } from '@sightline/core/database/database';
import { wakeAfterWrites } from '@sightline/core/database/wake-after-writes';
import { DomainError } from '@sightline/core/domain-error';
import { detectImage } from '@sightline/core/recognition/detect-image';
import type { RunDetectorsDeps } from '@sightline/core/recognition/run-detectors';
import { StoreUnavailable } from '@sightline/core/store/store-errors';
import {
  aroundRecognition,
  boxAt,
  faceAt,
  photo,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import { writingBy } from '../../support/fixtures/altered-database.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let guest: ReturnType<typeof visitor>;

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

class Refused extends DomainError {
  readonly code = 'refused';
}

/** Returns everything that is stored in the environment. */
const contents = async () => ({
  files: new Set(await fixture.store.files(home.scope)),
  rows: await fixture.store.query(
    `SELECT d.id, d.identity_id, d.review_status FROM detections d WHERE d.environment_id = $1
     UNION ALL SELECT s.id, NULL, s.external_ref FROM source_images s WHERE s.environment_id = $1
     ORDER BY 1`,
    [home.scope.environmentId],
  ),
});

const withEntities = (write: Database['withEntities']) => writingBy(fixture.store.database, write);

function detect(text: string, changes: Partial<RunDetectorsDeps>, options = {}) {
  return detectImage(
    fixture.process(changes),
    { scope: home.scope, image: photo(text), types: 'faces', replace: true },
    options,
  );
}

beforeEach(async () => {
  fixture.scenes.set('photo', {
    faces: [faceAt(0, { bbox: boxAt(0) }), faceAt(90, { bbox: boxAt(1) })],
  });
  await guest.detect('photo');
  fixture.scenes.set('other', { faces: [faceAt(180)] });
});

describe('nothing has changed', () => {
  let before: Awaited<ReturnType<typeof contents>>;

  beforeEach(async () => {
    before = await contents();
  });

  afterEach(async () => {
    expect(await contents()).toEqual(before);
  });

  test.each(['photo', 'other'])('after the last step of %s has failed', async (text) => {
    const settle = () => Promise.reject(new Refused('The key was taken over.'));
    await expect(detect(text, {}, { settle })).rejects.toMatchObject({ code: 'refused' });
  });

  test('after one of the files could not be put', async () => {
    const { media } = fixture.store;
    let puts = 0;
    const full = Object.assign(Object.create(media) as typeof media, {
      put: (...[key, bytes, signal]: Parameters<typeof media.put>) =>
        ++puts === 2
          ? Promise.reject(new StoreUnavailable('There is no space.'))
          : media.put(key, bytes, signal),
      remove: (keys: readonly string[]) => media.remove(keys),
      requireAnswer: () => media.requireAnswer(),
    });
    await expect(detect('other', { media: full })).rejects.toMatchObject({
      code: 'store_unavailable',
    });
    expect(puts).toBe(2);
  });

  test('after an abort during inference', async () => {
    const stop = new AbortController();
    fixture.analyzer.before = (_, signal) => {
      stop.abort(new Error('gone'));
      return Promise.reject(signal!.reason as Error);
    };
    await expect(detect('photo', {}, { signal: stop.signal })).rejects.toThrow('gone');
  });
});

test('files stay if it is unknown whether their rows were committed', async () => {
  const database = withEntities(async (...call) => {
    await fixture.store.database.withEntities(...call);
    throw new StoreUnavailable('The connection was lost.');
  });
  await expect(detect('photo', { database })).rejects.toMatchObject({ code: 'store_unavailable' });
  const files = new Set(await fixture.store.files(home.scope));
  const rows = await fixture.store.query<{ crop_key: string }>(
    'SELECT crop_key FROM detections WHERE environment_id = $1',
    [home.scope.environmentId],
  );
  expect(rows).toHaveLength(2);
  for (const { crop_key: key } of rows) expect(files.has(key)).toBe(true);
  await fixture.store.media.remove(
    [...files].filter((key) => key.includes('/crops/') && !rows.some((r) => r.crop_key === key)),
  );
});

test('a face whose detection is deleted at the last moment is stored as a new one', async () => {
  const { faces } = await guest.detect('photo');
  let tries = 0;
  const database = withEntities(async (scope, write, signal) => {
    if (tries++ === 0) {
      await deleteDetections(fixture.store, {
        scope: home.scope,
        ids: [faces[0]!.detection.id],
      });
    }
    return fixture.store.database.withEntities(scope, write, signal);
  });
  const late = visitor(fixture.process({ database }), home);
  const again = await late.detect('photo');
  expect(tries).toBe(2);
  expect(again.faces.map(({ created }) => created)).toEqual([true, false]);
});

describe('the process that keeps the index', () => {
  const changesSeen: Promise<unknown[]>[] = [];
  const wake = () => {
    const { environmentId } = home.scope;
    const text = 'SELECT id FROM vector_changes WHERE environment_id = $1';
    changesSeen.push(fixture.store.query(text, [environmentId]));
  };
  const wakes = { written: wake, jobCreated: () => undefined };

  beforeEach(async () => {
    changesSeen.length = 0;
    await fixture.catchUp();
  });

  test('gets one wake for a detection, after the commit', async () => {
    await detect('other', { database: wakeAfterWrites(fixture.store.database, wakes) });
    // The change was committed before the wake-up, so another connection sees it.
    expect(await Promise.all(changesSeen)).toEqual([[expect.anything()]]);
    await fixture.catchUp();
  });

  test('gets no wake for a detection that fails', async () => {
    const settle = () => Promise.reject(new Refused('The key was taken over.'));
    const database = wakeAfterWrites(fixture.store.database, wakes);
    await expect(detect('other', { database }, { settle })).rejects.toThrow(Refused);
    expect(changesSeen).toEqual([]);
  });
});
