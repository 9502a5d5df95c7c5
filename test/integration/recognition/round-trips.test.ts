import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { ModelRegistry } from '@sightline/core/models/model-registry';
import { NamingAnalyzer } from '@sightline/core/activation/naming-analyzer';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import { LONG_TIMEOUTS } from '../../support/fixtures/long-timeouts.ts';
import {
  aroundRecognition,
  faceAt,
  visitor,
  type RecognitionFixture,
} from '../../support/fixtures/recognition-fixture.ts';
import type { SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { CountingProxy } from '../../support/servers/counting-proxy.ts';

let fixture: RecognitionFixture;
let home: SeededEnvironment;
/** A visitor that works on the stores behind the proxy. */
let guest: ReturnType<typeof visitor>;
let proxy: CountingProxy;
let stores: PostgresStores;
let models: ModelRegistry;

aroundRecognition((turn) => ({ fixture, home } = turn));

beforeEach(async () => {
  const { connection } = fixture.store;
  proxy = await CountingProxy.open(connection);
  stores = openPostgres(
    { ...connection, ...proxy.address },
    {
      ...LONG_TIMEOUTS,
      connections: 1,
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'own', name: 'test' },
    },
  );
  models = new ModelRegistry(stores.models);
  const analyzer = new NamingAnalyzer(fixture.analyzer, models);
  guest = visitor(fixture.process({ database: stores.database, models, analyzer }), home);
  for (const name of ['ann', 'new', 'stored']) fixture.scenes.set(name, { faces: [faceAt(0)] });
  await guest.enroll('ann', 'Ann');
  await guest.detect('stored');
  await guest.detect('stored empty');
  await fixture.catchUp();
});

afterEach(async () => {
  await stores[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

test.each([
  ['a new photo of an enrolled person', 'new', 12],
  ['the same photo again', 'stored', 10],
  ['a new photo that shows nothing', 'new empty', 6],
  ['an empty photo again', 'stored empty', 7],
])('%s costs few round trips to the database', async (_, photo, most) => {
  // Reads the active models before the count, because requests share them for two seconds.
  models.forget();
  await models.roles();
  const before = proxy.roundTrips;
  await guest.detect(photo);
  expect(proxy.roundTrips - before).toBeLessThanOrEqual(most);
});
