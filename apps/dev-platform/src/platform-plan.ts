import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Environment } from '@sightline/platform/config/read-environment';
import { answersAt, listensAt } from './answers.ts';
import type { KafkaChoice } from './find-kafka.ts';
import type { QdrantChoice } from './find-qdrant.ts';
import { ROOT } from './root.ts';
import type { ProcessPlan } from './supervised-process.ts';

const APPS = join(ROOT, 'apps');
/** The owner and the name of the database, as packages/embedded-postgres defines them. */
const [OWNER, DATABASE] = ['sightline_owner', 'sightline'];
/** The database role in the database URL of processes. */
const SERVICE = 'sightline_app';
const ACCESS_KEY = 'sightline';

export interface Listener {
  readonly port: number;
  readonly opsPort: number;
}

export interface PlatformOptions {
  /** The absolute path of the folder that contains all data of the platform. */
  readonly data: string;
  /** Further environment variables of the processes, such as SIGHTLINE_MODELS_DIR. */
  readonly environment: Environment;
  readonly minio: string;
  /** Null if each service has its own index of faces in memory. */
  readonly qdrant: QdrantChoice | null;
  /** Null if processes read events from the database. */
  readonly kafka: KafkaChoice | null;
  readonly ports: PlatformPorts;
  readonly secrets: PlatformSecrets;
}

export interface PlatformSecrets {
  /** The password of the database's owner. */
  readonly database: string;
  /** The password of the database roles that processes log in as. */
  readonly service: string;
  readonly minio: string;
  /** The file with the key that encrypts the secrets of webhooks. */
  readonly keyFile: string;
}

export interface PlatformPorts {
  readonly database: number;
  readonly minio: number;
  readonly inference: readonly Listener[];
  readonly api: readonly Listener[];
  /** The port of each background process's operations endpoints. */
  readonly background: Readonly<Record<BackgroundRole, number>>;
}

/** The background roles. Each runs in its own process, unless the services run all roles themselves. */
export const BACKGROUND_ROLES = ['worker', 'relay', 'projector', 'dispatcher'] as const;

type BackgroundRole = (typeof BACKGROUND_ROLES)[number];

/** The processes of the platform, in the order of their start. */
export interface PlatformPlan {
  /** The databases and other servers that store data. */
  readonly stores: readonly ProcessPlan[];
  readonly inference: readonly ProcessPlan[];
  /** API processes. Without Qdrant, standalone services with their own index replace the API processes. */
  readonly apis: readonly ProcessPlan[];
  /** The background processes; empty if the services run the background roles themselves. */
  readonly background: readonly ProcessPlan[];
  readonly commandEnvironment: Environment;
  readonly migrationEnvironment: Environment;
}

export function databaseSecret(data: string): string {
  return join(data, 'secrets/database');
}

export function planPlatform(options: PlatformOptions): PlatformPlan {
  const { data, qdrant, kafka, ports } = options;
  const shared = sharedEnvironment(options);
  const plan = { ...options, shared };
  const apis = ports.api.map((listener, index) =>
    qdrant === null
      ? node(plan, `service-${index + 1}`, {
          main: join(APPS, 'standalone/src/main.ts'),
          listener,
          environment: { SIGHTLINE_DATA: join(data, `service-${index + 1}`) },
        })
      : node(plan, `api-${index + 1}`, { main: join(APPS, 'api/src/main.ts'), listener }),
  );
  const roles = BACKGROUND_ROLES.filter((role) => role !== 'relay' || kafka !== null);
  const background = roles.map((role) =>
    node(plan, role, {
      main: join(APPS, `background/src/${role}/main.ts`),
      listener: { port: 0, opsPort: ports.background[role] },
    }),
  );
  return {
    stores: [
      databasePlan(options),
      minioPlan(options),
      ...[qdrant?.plan ?? null, kafka?.plan ?? null].filter((plan) => plan !== null),
    ],
    inference: ports.inference.map((listener, index) => inferencePlan(plan, index, listener)),
    apis,
    background: qdrant === null ? [] : background,
    commandEnvironment: { ...shared, SIGHTLINE_DATA: join(data, 'service-1') },
    migrationEnvironment: {
      SIGHTLINE_DATABASE_OWNER_URL: databaseUrl(options, OWNER, options.secrets.database),
    },
  };
}

type Plan = PlatformOptions & { readonly shared: Environment };

/** The environment variables of every Sightline process. The values set here override the given environment. */
function sharedEnvironment(options: PlatformOptions): Environment {
  const { environment, qdrant, ports, secrets } = options;
  const inference = ports.inference.map(({ port }) => `http://127.0.0.1:${port}`);
  return {
    ...environment,
    SIGHTLINE_HOST: '127.0.0.1',
    SIGHTLINE_OPS_HOST: '',
    // No drain is needed by default, because all processes stop together.
    SIGHTLINE_DRAIN_SECONDS: environment.SIGHTLINE_DRAIN_SECONDS ?? '0',
    SIGHTLINE_DATABASE_URL: databaseUrl(options, SERVICE, secrets.service),
    SIGHTLINE_DATABASE_URL_FILE: '',
    SIGHTLINE_DATABASE_OWNER_URL: '',
    SIGHTLINE_DATABASE_OWNER_URL_FILE: '',
    SIGHTLINE_DATABASE_PASSWORD: '',
    SIGHTLINE_DATABASE_PASSWORD_FILE: '',
    SIGHTLINE_S3_ENDPOINT: `http://127.0.0.1:${ports.minio}`,
    SIGHTLINE_S3_BUCKET: '',
    SIGHTLINE_S3_REGION: '',
    SIGHTLINE_S3_VIRTUAL_HOSTS: '',
    SIGHTLINE_S3_SESSION_TOKEN: '',
    SIGHTLINE_S3_SESSION_TOKEN_FILE: '',
    SIGHTLINE_S3_ACCESS_KEY: ACCESS_KEY,
    SIGHTLINE_S3_ACCESS_KEY_FILE: '',
    SIGHTLINE_S3_SECRET_KEY: secrets.minio,
    SIGHTLINE_S3_SECRET_KEY_FILE: '',
    SIGHTLINE_QDRANT_URL: qdrant?.url ?? '',
    // A Qdrant server that the platform starts has no key. The key of an external server comes from the environment.
    ...(qdrant?.plan && { SIGHTLINE_QDRANT_API_KEY: '', SIGHTLINE_QDRANT_API_KEY_FILE: '' }),
    SIGHTLINE_INFERENCE_URL: inference.join(','),
    SIGHTLINE_KAFKA_BROKERS: options.kafka?.brokers ?? '',
    SIGHTLINE_SECRET_KEY: '',
    // Processes read the file again when its key changes.
    SIGHTLINE_SECRET_KEY_FILE: secrets.keyFile,
  };
}

function databaseUrl({ ports }: PlatformOptions, user: string, password: string): string {
  return `postgres://${user}:${password}@127.0.0.1:${ports.database}/${DATABASE}?sslmode=disable`;
}

function databasePlan({ data, environment, ports }: PlatformOptions): ProcessPlan {
  const main = join(import.meta.dirname, 'database-process.ts');
  const options = ['--folder', join(data, 'database'), '--port', String(ports.database)];
  return {
    name: 'database',
    command: process.execPath,
    args: [main, ...options, '--password-file', databaseSecret(data)],
    environment,
    isReady: () => listensAt(ports.database),
  };
}

function minioPlan({ data, environment, minio, ports, secrets }: PlatformOptions): ProcessPlan {
  const address = `127.0.0.1:${ports.minio}`;
  return {
    name: 'minio',
    command: minio,
    args: ['server', '--quiet', '--address', address, join(data, 'minio')],
    environment: {
      PATH: environment.PATH,
      HOME: data,
      MINIO_ROOT_USER: ACCESS_KEY,
      MINIO_ROOT_PASSWORD: secrets.minio,
      MINIO_BROWSER: 'off',
      MINIO_UPDATE: 'off',
    },
    isReady: () => answersAt(`http://${address}/minio/health/live`),
  };
}

/**
 * Plans an inference process. The inference processes divide all cores among them, because no other process runs
 * models.
 */
function inferencePlan(plan: Plan, index: number, listener: Listener): ProcessPlan {
  const threads = Math.max(1, Math.floor(availableParallelism() / plan.ports.inference.length));
  return node(plan, `inference-${index + 1}`, {
    main: join(APPS, 'inference/src/main.ts'),
    listener,
    environment: {
      SIGHTLINE_INFERENCE_URL: '',
      SIGHTLINE_WORKERS: plan.environment.SIGHTLINE_WORKERS ?? String(threads),
    },
  });
}

function node(
  { shared }: Plan,
  name: string,
  {
    main,
    listener,
    environment = {},
  }: {
    readonly main: string;
    readonly listener: Listener;
    readonly environment?: Environment;
  },
): ProcessPlan {
  return {
    name,
    command: process.execPath,
    args: [main],
    environment: {
      ...shared,
      SIGHTLINE_PORT: String(listener.port),
      SIGHTLINE_OPS_PORT: String(listener.opsPort),
      ...environment,
    },
    isReady: () => answersAt(`http://127.0.0.1:${listener.opsPort}/readyz`),
  };
}
