import { describe } from '@jest/globals';
import pg from 'pg';
import { describeWithShared } from '../gates/describe-with-shared.ts';
import { describeWithMinio } from '../servers/minio.ts';
import { describeWithLiveQdrant, type TestQdrant } from '../servers/qdrant.ts';
import { type RunningPlatform, startPlatform } from './running-platform.ts';
import type { RunningService } from './running-service.ts';
import { startStandalone } from './running-standalone.ts';

/** Starts a service of the composition that is to be tested. */
export type StartService = () => Promise<RunningService>;

/** Models are held once per thread, and the platform has several processes that run them. */
const LIGHT = { SIGHTLINE_WORKERS: '1' };

/**
 * A suite that holds whatever the service is made of: of one process, and of several on shared stores
 * whose processes are asked in turn, with an index in each or with one Qdrant and a worker.
 */
export function describeInCompositions(name: string, body: (start: StartService) => void): void {
  describe(name, () => {
    describeWithShared('in one process', () => body(() => startStandalone(LIGHT)));
    describeWithMinio('as several processes', () => {
      describeWithShared('on shared stores', () => body(() => startPlatform(LIGHT)));
      describeWithLiveQdrant('with a Qdrant', (startQdrant) => {
        describeWithShared('on shared stores', () => {
          body(() => startWithQdrant(startQdrant));
        });
      });
    });
  });
}

async function startWithQdrant(startQdrant: () => Promise<TestQdrant>): Promise<RunningService> {
  await using opening = new AsyncDisposableStack();
  const qdrant = opening.use(await startQdrant());
  const settings = { ...LIGHT, SIGHTLINE_QDRANT_API_KEY: qdrant.apiKey ?? '' };
  const platform = opening.use(await startPlatform(settings, qdrant.url.href));
  qdrant.alsoRemove(await installationOf(platform));
  const resources = opening.move();
  return Object.assign(platform, { [Symbol.asyncDispose]: () => resources.disposeAsync() });
}

/** Its collections on a Qdrant are called after it. */
async function installationOf(platform: RunningPlatform): Promise<string> {
  const { environment } = platform.process('api-1').plan;
  const client = new pg.Client({ connectionString: environment.SIGHTLINE_DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('SELECT id FROM installation');
    return rows[0]!.id;
  } finally {
    await client.end();
  }
}
