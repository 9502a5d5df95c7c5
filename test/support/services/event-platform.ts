import { randomBytes, randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { registerWebhook } from '@sightline/core/administration/register-webhook';
import { answersAt } from '@sightline/dev-platform/answers';
import { freePort } from '@sightline/dev-platform/free-port';
import { createLogger } from '@sightline/platform/logging/logger';
import { migrate } from '@sightline/postgres/migrate';
import { openPostgres, type PostgresStores } from '@sightline/postgres/open-postgres';
import { AesSecretBox } from '@sightline/composition/secrets/aes-secret-box';
import { getTypeParser } from '../fixtures/get-type-parser.ts';
import { LONG_TIMEOUTS } from '../fixtures/long-timeouts.ts';
import type { KafkaProcess } from '../servers/kafka-process.ts';
import { KillableProcess } from '../servers/killable-process.ts';
import { PostgresProcess } from '../servers/postgres-process.ts';
import { withClient } from '../servers/test-server.ts';
import { childEnvironment } from './running-service.ts';

const ROOT = resolve(import.meta.dirname, '../../..');
const PAUSE_MS = 20;
/** Settings of the processes, none of which runs models. */
const NO_MODELS = { SIGHTLINE_MODELS_DIR: '' };
export const SECRET = 'hush';

export const VICTIMS = [
  'writers',
  'projector',
  'dispatcher-1',
  'dispatcher-2',
  'database',
] as const;
export type Victim = (typeof VICTIMS)[number];

/** The additional processes of a platform whose events are sent over Kafka. */
export const KAFKA_VICTIMS = ['relay-1', 'relay-2', 'broker'] as const;
export type KafkaVictim = (typeof KAFKA_VICTIMS)[number];

/** The processes that deliver events and those that write them. A test may kill each process. */
export interface EventPlatform extends AsyncDisposable, Pick<PostgresStores, 'database'> {
  /** The ids of two environments. */
  readonly environmentIds: readonly number[];
  /** The URL of the role's metrics. */
  metricsUrl(role: 'projector' | 'dispatcher-1' | 'dispatcher-2' | 'relay-1' | 'relay-2'): string;
  /** Kills the victim with SIGKILL. */
  kill(victim: Victim | KafkaVictim): Promise<void>;
  /** Starts the victim and waits until it is ready. */
  start(victim: Victim | KafkaVictim): Promise<void>;
  /**
   * Pauses the victim.
   * @returns the function that resumes it
   */
  hang(victim: KafkaVictim): () => void;
  /** Registers a webhook with a secret and returns its id. */
  register(environmentId: number, webhook: { url: string; events: string[] }): Promise<number>;
  /** Queries the database as its owner. */
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  /** Waits until the query returns rows. */
  untilThere(text: string, values?: readonly unknown[]): Promise<void>;
  /**
   * Locks the table against writes, or also against reads.
   *
   * @returns the function that unlocks it
   */
  block(table: string, kind?: 'reads'): Promise<() => Promise<void>>;
}

/**
 * Prepares the processes, and starts only the database.
 * @param broker the broker of events, which a test may kill; null if processes read events from the
 * database
 */
export async function openEventPlatform(
  broker: KafkaProcess | null = null,
): Promise<EventPlatform> {
  await using opening = new AsyncDisposableStack();
  const server = opening.use(await PostgresProcess.start());
  await migrate(server.connection);
  const { host, port, password, database } = server.connection;
  const login = `sightline_app:${encodeURIComponent(password!)}`;
  const url = `postgres://${login}@${host}:${port}/${database}?sslmode=disable`;
  const connection = { ...server.connection, types: { getTypeParser } };
  const stores = opening.use(
    openPostgres(server.connection, {
      ...LONG_TIMEOUTS,
      logger: createLogger({ level: 'silent' }),
      reader: { kind: 'shared' },
    }),
  );
  const names = [randomUUID(), randomUUID()];
  const environments = await Promise.all(names.map((name) => stores.keys.environment(name)));
  const environmentIds = environments.map(({ id }) => id);
  const key = randomBytes(32);
  const settings = {
    SIGHTLINE_DATABASE_URL: url,
    SIGHTLINE_SECRET_KEY: key.toString('base64'),
    SIGHTLINE_HOST: '127.0.0.1',
    SIGHTLINE_KAFKA_BROKERS: broker?.brokers ?? '',
    ...NO_MODELS,
  };
  const processes = {
    writers: opening.use(new Writers(url, environmentIds)),
    projector: opening.use(await RoleProcess.prepare('projector', settings)),
    'dispatcher-1': opening.use(await RoleProcess.prepare('dispatcher', settings)),
    'dispatcher-2': opening.use(await RoleProcess.prepare('dispatcher', settings)),
    'relay-1': opening.use(await RoleProcess.prepare('relay', settings)),
    'relay-2': opening.use(await RoleProcess.prepare('relay', settings)),
    database: server,
    ...(broker && { broker }),
  };
  const processOf = (victim: Victim | KafkaVictim) => {
    const found = processes[victim];
    if (found === undefined) throw new Error('There is no Kafka.');
    return found;
  };
  const query = <Row>(text: string, values: readonly unknown[] = []): Promise<Row[]> =>
    withClient(connection, async (client) => (await client.query(text, [...values])).rows as Row[]);
  const secrets = new AesSecretBox(() => [key]);
  const webhooks = { database: stores.database, secrets, checkTarget: () => Promise.resolve() };
  const resources = opening.move();
  return {
    database: stores.database,
    environmentIds,
    metricsUrl: (role) => processes[role].metricsUrl,
    kill: (victim) => processOf(victim).kill(),
    start: (victim) => processOf(victim).start(),
    hang(victim) {
      const hanging = processOf(victim) as KillableProcess;
      hanging.hang();
      return () => hanging.resume();
    },
    async register(environmentId, webhook) {
      const request = { ...webhook, label: null, secret: SECRET, scope: { environmentId } };
      return (await registerWebhook(webhooks, request)).id;
    },
    query,
    async untilThere(text, values) {
      while ((await query(text, values)).length === 0) await sleep(PAUSE_MS);
    },
    async block(table, kind) {
      const mode = kind === 'reads' ? 'ACCESS EXCLUSIVE' : 'SHARE ROW EXCLUSIVE';
      const release = Promise.withResolvers<undefined>();
      const holds = Promise.withResolvers<undefined>();
      const held = withClient(connection, async (client) => {
        await client.query(`BEGIN; LOCK TABLE ${table} IN ${mode} MODE`);
        holds.resolve(undefined);
        await release.promise;
        await client.query('ROLLBACK');
      });
      await Promise.race([holds.promise, held]);
      return async () => {
        release.resolve(undefined);
        await held;
      };
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

class RoleProcess extends KillableProcess {
  readonly metricsUrl: string;

  private constructor(role: string, opsUrl: string, settings: Readonly<Record<string, string>>) {
    super({
      name: role,
      command: process.execPath,
      args: [resolve(ROOT, `apps/background/src/${role}/main.ts`)],
      environment: childEnvironment({ ...settings, SIGHTLINE_OPS_PORT: new URL(opsUrl).port }),
      isReady: () => answersAt(`${opsUrl}/readyz`),
    });
    this.metricsUrl = `${opsUrl}/metrics`;
  }

  static async prepare(
    role: 'projector' | 'dispatcher' | 'relay',
    settings: Readonly<Record<string, string>>,
  ): Promise<RoleProcess> {
    return new RoleProcess(role, `http://127.0.0.1:${await freePort()}`, settings);
  }
}

class Writers extends KillableProcess {
  constructor(database: string, environmentIds: readonly number[]) {
    const main = resolve(import.meta.dirname, 'write-events.ts');
    const environments = environmentIds.flatMap((id) => ['--environment', String(id)]);
    super({
      name: 'writers',
      command: process.execPath,
      args: [main, '--database', database, ...environments],
      environment: childEnvironment(NO_MODELS),
      isReady: () => Promise.resolve(true),
    });
  }
}
