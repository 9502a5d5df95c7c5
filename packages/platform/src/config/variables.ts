import { isIP } from 'node:net';
import { z } from 'zod';
import { LOG_LEVELS } from '../logging/logger.ts';
import type { Environment } from './read-environment.ts';
import { userCacheFolder } from './user-cache-folder.ts';

/** One environment variable: what it is called, what it means and what it may be. */
export interface Variable<Value> {
  readonly name: `SIGHTLINE_${string}`;
  /** What it sets, as `--help` and the documentation show it. */
  readonly description: string;
  /**
   * The text that holds where the variable is unset or empty; null leaves it open. A function gets
   * the other variables.
   */
  readonly default: string | null | ((environment: Environment) => string);
  /** What to show as the default where that depends on the machine. */
  readonly defaultShown?: string;
  /** Whether its text may hold what nobody is to read: a wrong one is not shown. */
  readonly secret?: true;
  /** From the text of the variable (null if it is open) to its value. */
  readonly schema: z.ZodType<Value, string | null>;
}

/** Every variable that the service reads, in the order in which they are listed. */
export const VARIABLES = {
  host: variable({
    name: 'SIGHTLINE_HOST',
    description:
      'Address on which the API and the operations endpoints listen; the latter ask for no key',
    default: '127.0.0.1',
    schema: z
      .string()
      .refine(
        (host) => host === 'localhost' || isIP(host) !== 0,
        'has to be localhost or an IP address, such as 0.0.0.0 for all addresses of this machine',
      ),
  }),
  port: variable({
    name: 'SIGHTLINE_PORT',
    description: 'Port of the API; 0 takes any free one',
    default: '8080',
    schema: wholeNumber(0, 65_535),
  }),
  opsPort: variable({
    name: 'SIGHTLINE_OPS_PORT',
    description: 'Port of /livez, /readyz and /metrics; 0 takes any free one',
    default: '9464',
    schema: wholeNumber(0, 65_535),
  }),
  data: variable({
    name: 'SIGHTLINE_DATA',
    description: 'Folder of everything that is kept: database, images, the first key',
    default: './data',
    schema: z.string(),
  }),
  storageReserve: variable({
    name: 'SIGHTLINE_STORAGE_RESERVE',
    description:
      'Bytes that stay free on the disks of the data folder, such as 500000000, 512MiB or 2GB; with less, photos that would be stored are refused, and everything else goes on; 0: no reserve',
    default: '256MB',
    schema: size(),
  }),
  modelsDir: variable({
    name: 'SIGHTLINE_MODELS_DIR',
    description: 'Folder of models; each folder in it is one pack',
    default: null,
    defaultShown: './models, if it is there',
    schema: z.string().nullable(),
  }),
  starter: variable({
    name: 'SIGHTLINE_STARTER',
    description:
      'auto: what the folder of models has no pack for is done by the starter packs; off: it is not',
    default: 'auto',
    schema: oneOf(['auto', 'off']),
  }),
  cache: variable({
    name: 'SIGHTLINE_CACHE',
    description: 'Folder of what can be had again: the starter packs',
    default: userCacheFolder,
    defaultShown:
      '$XDG_CACHE_HOME/sightline, else ~/.cache/sightline (macOS: ~/Library/Caches/sightline)',
    schema: z.string(),
  }),
  faceModel: variable({
    name: 'SIGHTLINE_FACE_MODEL',
    description:
      'Name of the pack that finds faces; needed only where there are several, or for starter-faces',
    default: null,
    schema: z.string().nullable(),
  }),
  objectModel: variable({
    name: 'SIGHTLINE_OBJECT_MODEL',
    description:
      'Name of the pack that finds objects; needed only where there are several, or for starter-objects',
    default: null,
    schema: z.string().nullable(),
  }),
  provider: variable({
    name: 'SIGHTLINE_PROVIDER',
    description: 'Where models run: cpu, cuda, or auto for cuda where it works',
    default: 'auto',
    schema: oneOf(['auto', 'cpu', 'cuda']),
  }),
  workers: variable({
    name: 'SIGHTLINE_WORKERS',
    description: 'Inference threads; each holds the models in memory once',
    default: null,
    defaultShown: 'one per CPU core, one alone on a GPU',
    schema: wholeNumber(1, 256).or(z.null()),
  }),
  queueLimit: variable({
    name: 'SIGHTLINE_QUEUE_LIMIT',
    description: 'Images that may wait for a thread before further ones are refused with 429',
    default: '64',
    // The two images of one comparison are handed over together.
    schema: wholeNumber(1, 10_000),
  }),
  databaseUrl: variable({
    name: 'SIGHTLINE_DATABASE_URL',
    description:
      'Postgres 18 or newer that keeps the rows, such as postgres://user:password@host:5432/sightline?sslmode=verify-full; without it one is run in the data folder',
    default: null,
    secret: true,
    schema: z
      .string()
      .regex(/^postgres(ql)?:\/\/[^/]+\/[^/?]+/, 'has to be postgres://user:password@host/database')
      .nullable(),
  }),
  databasePassword: variable({
    name: 'SIGHTLINE_DATABASE_PASSWORD',
    description:
      'Password of the two roles that the service works as, sightline_app and sightline_platform',
    default: null,
    defaultShown: 'that of the URL',
    secret: true,
    schema: z.string().nullable(),
  }),
  databasePasswordFile: variable({
    name: 'SIGHTLINE_DATABASE_PASSWORD_FILE',
    description: 'File that holds this password',
    default: null,
    schema: z.string().nullable(),
  }),
  databaseConnections: variable({
    name: 'SIGHTLINE_DATABASE_CONNECTIONS',
    description: 'Most connections of one process for requests; four more are for everything else',
    default: '16',
    schema: wholeNumber(1, 1_000),
  }),
  databaseStatementTimeout: variable({
    name: 'SIGHTLINE_DATABASE_STATEMENT_TIMEOUT',
    description: 'Milliseconds after which the database gives up a statement',
    default: '30000',
    schema: wholeNumber(100, 600_000),
  }),
  databaseLockTimeout: variable({
    name: 'SIGHTLINE_DATABASE_LOCK_TIMEOUT',
    description: 'Milliseconds for which a statement waits for a lock',
    default: '10000',
    schema: wholeNumber(100, 600_000),
  }),
  qdrantUrl: variable({
    name: 'SIGHTLINE_QDRANT_URL',
    description:
      'Address of a Qdrant that keeps the index of faces, such as http://qdrant:6333; without it each process has one in memory',
    default: null,
    schema: origin(),
  }),
  qdrantApiKey: variable({
    name: 'SIGHTLINE_QDRANT_API_KEY',
    description: 'API key for the Qdrant',
    default: null,
    secret: true,
    schema: z.string().nullable(),
  }),
  qdrantApiKeyFile: variable({
    name: 'SIGHTLINE_QDRANT_API_KEY_FILE',
    description: 'File that holds the API key for the Qdrant',
    default: null,
    schema: z.string().nullable(),
  }),
  qdrantShards: variable({
    name: 'SIGHTLINE_QDRANT_SHARDS',
    description: 'Shards of each collection that is made in the Qdrant',
    default: '1',
    schema: wholeNumber(1, 256),
  }),
  qdrantReplicas: variable({
    name: 'SIGHTLINE_QDRANT_REPLICAS',
    description: 'Copies of each shard that is made in the Qdrant',
    default: '1',
    schema: wholeNumber(1, 16),
  }),
  inferenceUrl: variable({
    name: 'SIGHTLINE_INFERENCE_URL',
    description:
      'Address of an inference process, or of several with commas between them; without it models run in this process',
    default: null,
    schema: z
      .string()
      .transform((text) => text.split(',').map((address) => address.trim()))
      .refine(
        (addresses) => addresses.every(isOrigin),
        'has to be http:// or https:// and a host, or several such with commas between them',
      )
      .nullable(),
  }),
  s3Endpoint: variable({
    name: 'SIGHTLINE_S3_ENDPOINT',
    description:
      'Address of an S3 that keeps the images, such as https://s3.example.org:9000; without it they are files in the data folder',
    default: null,
    schema: origin(),
  }),
  s3Bucket: variable({
    name: 'SIGHTLINE_S3_BUCKET',
    description:
      'Bucket of the images, of this installation alone; made at the start if it is not there',
    default: 'sightline',
    schema: z
      .string()
      .regex(
        /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
        'has to be 3 to 63 lower-case letters, digits, dots and dashes',
      ),
  }),
  s3Region: variable({
    name: 'SIGHTLINE_S3_REGION',
    description: 'Region of the S3',
    default: 'us-east-1',
    schema: z.string().regex(/^[a-z0-9-]{1,32}$/, 'has to be the name of a region'),
  }),
  s3VirtualHosts: variable({
    name: 'SIGHTLINE_S3_VIRTUAL_HOSTS',
    description: 'on: the bucket is a part of the host name; off: it is one of the path',
    default: 'off',
    schema: oneOf(['off', 'on']),
  }),
  s3AccessKey: variable({
    name: 'SIGHTLINE_S3_ACCESS_KEY',
    description: 'Access key for the S3',
    default: null,
    secret: true,
    schema: z.string().nullable(),
  }),
  s3AccessKeyFile: variable({
    name: 'SIGHTLINE_S3_ACCESS_KEY_FILE',
    description: 'File that holds the access key for the S3',
    default: null,
    schema: z.string().nullable(),
  }),
  s3SecretKey: variable({
    name: 'SIGHTLINE_S3_SECRET_KEY',
    description: 'Secret key for the S3',
    default: null,
    secret: true,
    schema: z.string().nullable(),
  }),
  s3SecretKeyFile: variable({
    name: 'SIGHTLINE_S3_SECRET_KEY_FILE',
    description:
      'File that holds the secret key for the S3; like its fellows, read again when the S3 no longer takes what it held',
    default: null,
    schema: z.string().nullable(),
  }),
  startTimeout: variable({
    name: 'SIGHTLINE_START_TIMEOUT',
    description:
      'Seconds for which a start waits for services outside of this process that do not answer yet',
    default: '60',
    schema: wholeNumber(0, 3_600),
  }),
  s3SessionToken: variable({
    name: 'SIGHTLINE_S3_SESSION_TOKEN',
    description: 'Session token that belongs to keys which are valid for a time',
    default: null,
    secret: true,
    schema: z.string().nullable(),
  }),
  s3SessionTokenFile: variable({
    name: 'SIGHTLINE_S3_SESSION_TOKEN_FILE',
    description: 'File that holds the session token for the S3',
    default: null,
    schema: z.string().nullable(),
  }),
  logLevel: variable({
    name: 'SIGHTLINE_LOG_LEVEL',
    description: `Least level that is logged: ${LOG_LEVELS.join(', ')}`,
    default: 'info',
    schema: oneOf(LOG_LEVELS),
  }),
};

function variable<Value>(definition: Variable<Value>): Variable<Value> {
  return definition;
}

function wholeNumber(least: number, most: number): z.ZodType<number, string | null> {
  const message = `has to be a whole number from ${least} to ${most}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= least && value <= most, message);
}

/** Bytes, or with a unit: a power of 1,000 (MB) or of 1,024 (MiB). */
function size(): z.ZodType<number, string | null> {
  const pattern = /^(\d{1,12}) ?(?:([KMGT])(i?)B|B)?$/i;
  return z
    .string()
    .regex(pattern, 'has to be a number of bytes, or one with a unit, such as 256MB or 2GiB')
    .transform((text) => {
      const [, number, unit = '', binary = ''] = pattern.exec(text)!;
      const power = unit === '' ? 0 : 'KMGT'.indexOf(unit.toUpperCase()) + 1;
      return Number(number) * (binary === '' ? 1000 : 1024) ** power;
    });
}

function oneOf<const Values extends readonly [string, ...string[]]>(
  values: Values,
): z.ZodType<Values[number], string | null> {
  const list = `${values.slice(0, -1).join(', ')} or ${values.at(-1) ?? ''}`;
  return z.enum(values, { error: `has to be ${list}` });
}

function origin(): z.ZodType<string | null, string | null> {
  return z.string().refine(isOrigin, 'has to be http:// or https:// and a host').nullable();
}

/** Whether a text is the address of a server, without a path and without credentials. */
function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return false;
  return url.pathname === '/' && url.search + url.hash + url.username + url.password === '';
}
