import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { DetectImageDeps } from '@sightline/core/recognition/detect-image';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { analyzedObject, FACE_MODEL, OBJECT_MODEL } from '@sightline/core/testing/fake-analyzer';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import { PATIENT_LIMITS } from '../../support/fixtures/patient-limits.ts';
import {
  activate,
  aroundRecognition,
  faceAt,
  place,
  visitor,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { CountingProxy } from '../../support/servers/counting-proxy.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
let proxy: CountingProxy;
let stores: PostgresStores;
let near: DetectImageDeps;
let guest: ReturnType<typeof visitor>;

aroundRecognition((turn) => ({ fixture, home, guest } = turn));

beforeEach(async () => {
  const { connection } = fixture.store;
  proxy = await CountingProxy.open(connection);
  stores = openPostgres(
    { ...connection, ...proxy.address },
    {
      ...PATIENT_LIMITS,
      connections: 1,
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'own', name: 'test' },
    },
  );
  fixture.analyzer.models = [FACE_MODEL, OBJECT_MODEL];
  await activate(fixture.store, fixture.analyzer.models);
  near = fixture.process({
    database: stores.database,
    models: new ModelRegistry(fixture.store.models),
  });
  fixture.scenes.set('ann', { faces: [faceAt(0)] });
  await guest.enroll('ann', 'Ann');
  await fixture.catchUp();
});

afterEach(async () => {
  await stores[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

/** For how many answers of the database a run waits. */
async function roundTripsOf<T>(run: () => Promise<T>): Promise<number> {
  await stores.database.ready();
  const before = proxy.roundTrips;
  await run();
  return proxy.roundTrips - before;
}

test('what', async () => {
  const visit = visitor(near, home);
  const counts: Record<string, number> = {};
  for (const n of [1, 2]) {
    fixture.scenes.set(`a${n}`, { faces: [faceAt(3)] });
    counts[`matched ${n}`] = await roundTripsOf(() => visit.detect(`a${n}`));
    counts[`matched stored ${n}`] = await roundTripsOf(() => visit.detect(`a${n}`));
    fixture.scenes.set(`p${n}`, { faces: [faceAt(45)] });
    counts[`pending ${n}`] = await roundTripsOf(() => visit.detect(`p${n}`));
    counts[`pending stored ${n}`] = await roundTripsOf(() => visit.detect(`p${n}`));
    counts[`pending replace ${n}`] = await roundTripsOf(() => visit.detect(`p${n}`, {replace: true}));
    fixture.scenes.set(`s${n}`, { faces: [faceAt(90), faceAt(91, { bbox: place(1) })], objects: [analyzedObject({bbox: place(3)})] });
    counts[`stranger+object ${n}`] = await roundTripsOf(() => visit.detect(`s${n}`, { types: 'all' }));
    counts[`stranger+object stored ${n}`] = await roundTripsOf(() => visit.detect(`s${n}`, { types: 'all' }));
    counts[`stored named ${n}`] = await roundTripsOf(() => visit.detect(`s${n}`, { label: `Cem ${n}`}));
    fixture.scenes.set(`e${n}`, { faces: [faceAt(180)] });
    counts[`enroll ${n}`] = await roundTripsOf(() => visit.enroll(`e${n}`, `Bea ${n}`));
    fixture.scenes.set(`f${n}`, { faces: [] });
    counts[`nothing ${n}`] = await roundTripsOf(() => visit.detect(`f${n}`));
    counts[`nothing stored ${n}`] = await roundTripsOf(() => visit.detect(`f${n}`));
  }
  expect(counts).toEqual({});
}, 60_000);
