import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import type { Database } from '@sightline/core/database/database';
import type { EnvironmentBehind, RegisteredModel } from '@sightline/core/models/model-store';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import {
  faceAt,
  openRecognition,
  type RecognitionFixture,
  visitor,
} from '../../support/fixtures/recognition-fixture.ts';
import { writingBy } from '../../support/fixtures/altered-database.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let next: RegisteredModel;

beforeEach(async () => {
  fixture = await openRecognition();
  home = await fixture.store.environment();
  fixture.scenes.set('photo', { faces: [faceAt(0)] });
  const other = { ...FACE_MODEL, name: 'next', revision: 'a'.repeat(64) };
  [next] = (await fixture.store.models.register([other])) as [RegisteredModel];
});

afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
});

/** Activates the other model, and returns the environments in which faces lacked embeddings of it at the switch. */
async function activateNext(): Promise<readonly EnvironmentBehind[]> {
  let seen: readonly EnvironmentBehind[] = [];
  await fixture.store.models.activate(next.id, {
    jobsFor: (behind) => {
      seen = behind;
      return [];
    },
  });
  return seen;
}

/** Stops each transaction right before its commit. */
function stopping(database: Database) {
  const stopped = Promise.withResolvers<undefined>();
  const goOn = Promise.withResolvers<undefined>();
  const slow = writingBy(database, (scope, write, signal) =>
    database.withEntities(
      scope,
      async (tx) => {
        const result = await write(tx);
        stopped.resolve(undefined);
        await goOn.promise;
        return result;
      },
      signal,
    ),
  );
  return { slow, stopped: stopped.promise, goOn: () => goOn.resolve(undefined) };
}

async function untilItWaits(): Promise<void> {
  for (;;) {
    const waiting = await fixture.store.query(
      `SELECT FROM pg_locks l JOIN pg_database d ON d.oid = l.database
       WHERE d.datname = current_database() AND l.locktype = 'advisory' AND NOT l.granted`,
    );
    if (waiting.length > 0) return;
  }
}

test('a face that is being stored with the previous model is not forgotten', async () => {
  const { slow, stopped, goOn } = stopping(fixture.store.database);
  const storing = visitor(fixture.process({ database: slow }), home).detect('photo');
  await stopped;
  let isActive = false;
  const activation = activateNext().finally(() => (isActive = true));
  try {
    await Promise.race([untilItWaits(), activation]);
    expect(isActive).toBe(false);
  } finally {
    goOn();
    await storing;
  }
  const { environmentId } = home.scope;
  expect(await activation).toEqual([{ environmentId, images: 1, enrolledImages: 0 }]);
});

test('what a process stores with the previous model that has not heard of it yet is behind', async () => {
  const process = fixture.process();
  // This process has just read the active models. For two seconds it still takes the previous model
  // for the active one.
  await process.models.counts(fixture.store.faceModelId);
  expect(await activateNext()).toEqual([]);
  await visitor(process, home).detect('photo');
  const { environmentId } = home.scope;
  expect(await activateNext()).toEqual([{ environmentId, images: 1, enrolledImages: 0 }]);
});

test('a minute later it stores nothing more with the previous model', async () => {
  const process = fixture.process();
  await process.models.counts(fixture.store.faceModelId);
  await activateNext();
  await fixture.store.query(`UPDATE activations SET switched_at = now() - interval '61 seconds'`);
  await expect(visitor(process, home).detect('photo')).rejects.toMatchObject({
    code: 'inference_unavailable',
  });
  expect(await fixture.store.files(home.scope)).toEqual([]);
});

test('a face is enrolled for the model that is active at last', async () => {
  const { faces } = await visitor(fixture.process(), home).detect('photo');
  const { store } = fixture;
  let asked = 0;
  const models = {
    roles: async () => {
      const roles = await store.models.roles();
      if (asked++ === 0) await activateNext();
      return roles;
    },
  };
  const id = faces[0]!.detection.id;
  const labeled = await actOnFace(
    { database: store.database, models },
    { scope: home.scope, id, action: 'relabel', target: { label: 'Ann' } },
  );
  expect([asked, labeled.reference]).toEqual([2, null]);
});

test('the reason of a rollback is reported until the next switch, and a rollback is not itself rolled back', async () => {
  const { activations, models, faceModelId } = fixture.store;
  await activateNext();
  expect(await activations.recentSwitch('face')).toEqual({
    modelId: next.id,
    previousId: faceModelId,
  });
  await models.activate(faceModelId, { rolledBack: 'Its worker threads died.' });
  expect(await activations.rolledBack()).toMatchObject([
    { slot: 'face', reason: 'Its worker threads died.' },
  ]);
  expect(await activations.recentSwitch('face')).toBeNull();
  await activateNext();
  expect(await activations.rolledBack()).toEqual([]);
});
