import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { reviewFaces } from '@sightline/core/curation/review-faces';
import { createLogger } from '@sightline/platform/logging/logger';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import { LONG_TIMEOUTS } from '../../support/fixtures/long-timeouts.ts';
import { direction, type SeededEnvironment } from '../../support/fixtures/seeded-environment.ts';
import { openStoreFixture, type StoreFixture } from '../../support/fixtures/store-fixture.ts';
import { CountingProxy } from '../../support/servers/counting-proxy.ts';

let fixture: StoreFixture;
let home: SeededEnvironment;
let proxy: CountingProxy;
let stores: PostgresStores;
let ann: number;
let bea: number;
let ids: readonly number[];

beforeAll(async () => {
  fixture = await openStoreFixture();
});

beforeEach(async () => {
  home = await fixture.environment();
  ann = await home.identity('Ann');
  bea = await home.identity('Bea');
  const { faceModelId: modelId } = fixture;
  const face = {
    identityId: ann,
    enrolledBy: [modelId],
    embedding: { modelId, vector: direction(10) },
  };
  ({ ids } = await home.photo(Array.from({ length: 11 }, () => face)));
  proxy = await CountingProxy.open(fixture.connection);
  stores = openPostgres(
    { ...fixture.connection, ...proxy.address },
    {
      ...LONG_TIMEOUTS,
      connections: 1,
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'own', name: 'test' },
    },
  );
  // Opens the connection, so that its round trips do not count.
  await stores.database.withScope(home.scope, ({ identities }) => identities.byId(ann));
});

afterEach(async () => {
  await stores[Symbol.asyncDispose]();
  await proxy[Symbol.asyncDispose]();
});

afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
});

/**
 * The registry of models reads the active model over another connection, so that its round trips do
 * not count.
 */
const deps = () => ({ database: stores.database, models: fixture.models });

test('an action on a face costs few round trips to the database', async () => {
  const before = proxy.roundTrips;
  const target = { identityId: bea };
  await actOnFace(deps(), { scope: home.scope, id: ids[0]!, action: 'confirm', target });
  // The round trips are: reading the expected locks, begin, read, write, the means of both
  // identities, events, commit.
  expect(proxy.roundTrips - before).toBeLessThanOrEqual(8);
});

test('ten in bulk cost one round trip less each', async () => {
  const before = proxy.roundTrips;
  const review = { action: 'reassign', identityId: bea } as const;
  await reviewFaces(deps(), { scope: home.scope, ids: ids.slice(1), review });
  // One round trip reads the identity, and another one the expected locks of all ten faces.
  expect(proxy.roundTrips - before).toBeLessThanOrEqual(2 + 10 * 7);
});
