import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { actOnFace } from '@sightline/core/curation/act-on-face';
import { type ReviewAction, reviewFaces } from '@sightline/core/curation/review-faces';
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
  ({ ids } = await home.photo(Array.from({ length: 41 }, () => face)));
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

test('twenty faces in bulk cost as many round trips as one face', async () => {
  const cost = async (review: ReviewAction, chosen: readonly number[]) => {
    const before = proxy.roundTrips;
    await reviewFaces(deps(), { scope: home.scope, ids: chosen, review });
    return proxy.roundTrips - before;
  };
  const reassign = { action: 'reassign', identityId: bea } as const;
  // One more round trip than above reads the identity that all faces share.
  expect(await cost(reassign, ids.slice(1, 21))).toBeLessThanOrEqual(9);
  expect(await cost(reassign, ids.slice(1))).toBeLessThanOrEqual(1 + 2 * 8);
  expect(await cost({ action: 'reject' }, ids.slice(1))).toBeLessThanOrEqual(2 * 8);
});
