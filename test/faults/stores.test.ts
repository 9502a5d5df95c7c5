import { afterAll, beforeAll, describe, test } from '@jest/globals';
import { hasTool } from '../support/servers/tools.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { startStandalone } from '../support/services/running-standalone.ts';
import { openBreakableMinio } from './breakable-minio.ts';
import { openBreakablePostgres } from './breakable-postgres.ts';
import { openBreakableQdrant } from './breakable-qdrant.ts';
import type { BreakableService } from './breakable-service.ts';
import { describeFaults, type FaultEffect } from './describe-faults.ts';
import { expectConsistent } from './expect-kept.ts';
import { type FaultFixture, seedService } from './fault-fixture.ts';
import { cannotFillDisk } from './full-disk.ts';
import { detectUntilFull, routes } from './routes.ts';

/** All suites break the stores of the same service, one after the other. */
describe('with its stores elsewhere, the service', () => {
  const resources = new AsyncDisposableStack();
  const stores = new Map<string, BreakableService>();
  let fixture: FaultFixture;

  beforeAll(async () => {
    stores.set('Postgres', resources.use(await openBreakablePostgres()));
    if (hasTool('minio')) stores.set('S3', resources.use(await openBreakableMinio()));
    if (hasTool('qdrant')) stores.set('Qdrant', resources.use(await openBreakableQdrant()));
    const settings = [...stores.values()].flatMap((store) => Object.entries(store.settings));
    const service = await startStandalone(Object.fromEntries(settings));
    fixture = await seedService(resources.use(service));
  });
  afterAll(() => resources.disposeAsync());

  const get = (store: string) => () => ({ broken: stores.get(store)!, fixture });

  describe('with the rows in a Postgres', () => {
    const { capabilities, docs, openapi, livez, readyz, test, verify, ...needRows } = routes;
    const { openFile, openRange, identities, imageIds, readImage, identify } = routes;
    const effect: FaultEffect = {
      refuses: Object.values(needRows),
      answers: [capabilities, docs, openapi, livez],
      changesNothing: true,
      health: 'unavailable',
    };
    const full: FaultEffect = {
      refuses: [detectUntilFull],
      answers: [
        openFile,
        openRange,
        identities,
        imageIds,
        readImage,
        identify,
        capabilities,
        docs,
        openapi,
        livez,
        readyz,
        test,
        verify,
      ],
      impossible: cannotFillDisk(),
    };
    describeFaults({
      dependency: 'Postgres',
      get: get('Postgres'),
      code: 'store_unavailable',
      faults: { killed: effect, hung: effect, slow: effect, full },
    });
  });

  describeWithMinio('with the images in an S3', () => {
    const { detect, enroll, openFile, openRange, ...rest } = routes;
    const { draw, reprocess, reprocessMany, ...others } = rest;
    const effect: FaultEffect = {
      refuses: [detect, enroll, openFile, openRange, draw, reprocess, reprocessMany],
      answers: Object.values(others),
      health: 'degraded',
    };
    const full: FaultEffect = {
      refuses: [detect, enroll, draw],
      answers: [openFile, openRange, ...Object.values(others)],
      health: 'degraded',
      impossible: cannotFillDisk(),
    };
    describeFaults({
      dependency: 'S3',
      get: get('S3'),
      code: 'store_unavailable',
      faults: { killed: effect, hung: effect, slow: effect, full },
    });
  });

  describeWithQdrantProcess('with the index in a Qdrant', () => {
    const { detect, identify, test, reprocess, reprocessMany, ...others } = routes;
    /**
     * Enrolling needs no match, so it works without the index. The index gets the reference when it
     * is available again.
     */
    const effect: FaultEffect = {
      refuses: [detect, identify, test, reprocess, reprocessMany],
      answers: Object.values(others),
      health: 'degraded',
    };
    /** Matching reads the changes that the index cannot store from the database. */
    const disk: FaultEffect = {
      refuses: [],
      answers: Object.values(routes),
      impossible: cannotFillDisk(),
    };
    describeFaults({
      dependency: 'Qdrant',
      get: get('Qdrant'),
      code: 'vectors_unavailable',
      faults: {
        killed: effect,
        hung: effect,
        slow: effect,
        full: disk,
        'read-only': disk,
        emptied: effect,
      },
    });
  });

  test('has rows, files and index that agree after all of it', async () => {
    await expectConsistent(fixture);
  });
});
