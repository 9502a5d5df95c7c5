import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { getTypeParser } from '../support/fixtures/get-type-parser.ts';
import type { SupervisedProcess } from '@sightline/dev-platform/supervised-process';
import pg from 'pg';
import { killPostgres, mainProcessOf } from '../support/servers/kill-postgres.ts';
import { QdrantProcess } from '../support/servers/qdrant-process.ts';
import { withClient } from '../support/servers/test-server.ts';
import { type RunningPlatform, startPlatform } from '../support/services/running-platform.ts';
import { similarProcess } from '../support/services/similar-process.ts';

const PAUSE_MS = 50;

/** The processes that a test may kill and restart. */
export type Victim = 'worker' | 'inference-1' | 'inference-2' | 'database' | 'minio' | 'api-1';

/** A platform of API, worker and inference processes, on stores that are processes, too. */
export interface BreakablePlatform extends AsyncDisposable {
  readonly platform: RunningPlatform;
  /** Kills the victim with SIGKILL. */
  kill(victim: Victim): Promise<void>;
  /** Restarts the victim, and waits until it is ready. */
  start(victim: Victim): Promise<void>;
  secondWorker(): SupervisedProcess;
  /** Queries the database as its owner. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Runs a statement in a transaction, which holds its locks until disposal. */
  lock(text: string, values?: readonly unknown[]): Promise<AsyncDisposable>;
}

/** @param settings variables of all processes */
export async function openBreakablePlatform(
  settings: Readonly<Record<string, string>> = {},
): Promise<BreakablePlatform> {
  await using opening = new AsyncDisposableStack();
  const { url } = opening.use(await QdrantProcess.start());
  const platform = opening.use(await startPlatform({ qdrant: url.origin, settings }));
  const connection = {
    ...(await ownerOf(platform.process('database').plan.args)),
    types: { getTypeParser },
  };
  const query = <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    withClient(connection, async (client) => (await client.query(text, [...values])).rows as Row[]);
  const resources = opening.move();
  return {
    platform,
    async kill(victim) {
      const process = platform.process(victim);
      if (victim !== 'database') return process.kill();
      await killPostgres(await withClient(connection, mainProcessOf));
      // The killed server is a child of the platform's database process, which ends a little later.
      while (process.pid !== undefined) await sleep(PAUSE_MS);
    },
    async start(victim) {
      const process = platform.process(victim);
      process.start();
      await process.untilReady(new AbortController().signal);
      // A database opens its port before it has recovered, and until then refuses queries.
      while (!(await answers(query))) await sleep(PAUSE_MS);
    },
    secondWorker: () => besideWorker(platform.process('worker')),
    query,
    async lock(text, values = []) {
      const client = new pg.Client(connection);
      // The connection fails if the test has killed the server.
      client.on('error', () => undefined);
      await client.connect();
      await client.query('BEGIN');
      await client.query(text, [...values]);
      return { [Symbol.asyncDispose]: () => client.end() };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

async function answers(query: BreakablePlatform['query']): Promise<boolean> {
  return query('SELECT').then(
    () => true,
    () => false,
  );
}

type Plan = SupervisedProcess['plan'];

/** Returns the owner's connection. Its port and password are in the arguments of the database process. */
async function ownerOf(args: Plan['args']) {
  const valueOf = (option: string): string => args[args.indexOf(option) + 1]!;
  const password = (await readFile(valueOf('--password-file'), 'utf8')).trim();
  const port = Number(valueOf('--port'));
  return { host: '127.0.0.1', port, user: 'sightline_owner', database: 'sightline', password };
}

/** Plans a second worker, on a free port. */
export function besideWorker(worker: Pick<SupervisedProcess, 'plan'>): SupervisedProcess {
  return similarProcess(worker, { name: 'worker-2', settings: { SIGHTLINE_OPS_PORT: '0' } });
}
