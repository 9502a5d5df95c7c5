import { describe, expect, test } from '@jest/globals';
import { StartError } from '../lifecycle/start-error.ts';
import { configHelp, configMarkdown } from './describe-config.ts';
import { parseConfig as parseGroups } from './parse-config.ts';
import { usableMemory } from './usable-memory.ts';
import { ALL_GROUPS, VARIABLES } from './variable-groups.ts';

const parseConfig = (environment: Record<string, string>) => parseGroups(environment, ALL_GROUPS);

function refusal(environment: Record<string, string>): string {
  try {
    parseConfig(environment);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

/** The default of SIGHTLINE_BODY_MEMORY depends on the machine's memory. */
const bodyMemory = expect.any(Number) as unknown;

test('an empty environment gives the defaults', () => {
  expect(parseConfig({ PATH: '/bin', HOME: '/home/someone', XDG_CACHE_HOME: '/caches' })).toEqual({
    config: {
      host: '127.0.0.1',
      port: 8080,
      opsHost: null,
      bodyMemory,
      publicUrl: null,
      adminEmail: null,
      adminPassword: null,
      adminPasswordFile: null,
      oidcIssuer: null,
      oidcClientId: null,
      oidcClientSecret: null,
      oidcClientSecretFile: null,
      oidcSignUp: 'off',
      secretKey: null,
      secretKeyFile: null,
      servingFile: null,
      spoolMax: 8 * 1024 ** 3,
      tmpMax: null,
      urlFetchPrivate: 'on',
      maxConnections: 2_000,
      maxWaiting: 500,
      trustedProxies: null,
      // The default depends on whether the tests run at a terminal.
      drainSeconds: expect.any(Number),
      opsPort: 9464,
      data: './data',
      storageReserve: 256_000_000,
      modelsDir: null,
      modelCatalog: null,
      modelMirror: null,
      modelFiles: null,
      starter: 'auto',
      cache: '/caches/sightline',
      consoleDir: null,
      faceModel: null,
      fetch: null,
      objectModel: null,
      provider: 'auto',
      terminationLog: '/dev/termination-log',
      watchNamespaces: null,
      leaseName: 'sightline-operator',
      workers: null,
      queueLimit: 64,
      databaseUrl: null,
      databaseUrlFile: null,
      databaseOwnerUrl: null,
      databaseOwnerUrlFile: null,
      databasePassword: null,
      databasePasswordFile: null,
      databaseRoleSuffix: '',
      databaseConnections: 16,
      databaseStatementTimeout: 30_000,
      databaseLockTimeout: 10_000,
      qdrantUrl: null,
      qdrantApiKey: null,
      qdrantApiKeyFile: null,
      qdrantShards: 1,
      qdrantReplicas: 1,
      inferenceUrl: null,
      kafkaBrokers: null,
      kafkaTopic: 'sightline.events',
      kafkaCreateTopic: 'true',
      kafkaPartitions: 12,
      kafkaReplicas: 1,
      kafkaTls: 'false',
      kafkaCaFile: null,
      kafkaMechanism: 'scram-sha-512',
      kafkaUsername: null,
      kafkaPassword: null,
      kafkaPasswordFile: null,
      inferenceKey: null,
      inferenceKeyFile: null,
      routes: 'database',
      s3Endpoint: null,
      s3Bucket: 'sightline',
      s3Region: 'us-east-1',
      s3VirtualHosts: 'off',
      requireDigests: 'false',
      s3AccessKey: null,
      s3AccessKeyFile: null,
      s3SecretKey: null,
      s3SecretKeyFile: null,
      s3SessionToken: null,
      s3SessionTokenFile: null,
      s3WebIdentityTokenFile: null,
      s3RoleArn: null,
      s3StsEndpoint: null,
      startTimeout: 60,
      logLevel: 'info',
    },
    warnings: [],
  });
});

test('a value is trimmed', () => {
  const { config } = parseConfig({
    SIGHTLINE_HOST: '::1',
    SIGHTLINE_PORT: '0',
    SIGHTLINE_OPS_PORT: ' 65535 ',
    SIGHTLINE_MODELS_DIR: './models',
    SIGHTLINE_STARTER: 'off',
    SIGHTLINE_CACHE: ' ./cache ',
    SIGHTLINE_FACE_MODEL: 'buffalo_s',
    SIGHTLINE_PROVIDER: 'cuda',
    SIGHTLINE_WORKERS: '3',
    SIGHTLINE_LOG_LEVEL: 'debug',
  });
  expect(config).toMatchObject({
    host: '::1',
    port: 0,
    opsPort: 65535,
    modelsDir: './models',
    starter: 'off',
    cache: './cache',
    faceModel: 'buffalo_s',
    provider: 'cuda',
    workers: 3,
    logLevel: 'debug',
  });
});

test('an empty value counts as not set', () => {
  expect(parseConfig({ SIGHTLINE_PORT: '', SIGHTLINE_FACE_MODEL: ' ' }).config).toMatchObject({
    port: 8080,
    faceModel: null,
  });
});

test('all errors are named at once', () => {
  const environment = {
    SIGHTLINE_PORT: 'tcp://10.0.0.1:80',
    SIGHTLINE_WORKERS: '0',
    SIGHTLINE_LOG_LEVEL: 'loud',
  };
  expect(refusal(environment)).toBe(
    [
      'The configuration is invalid.',
      '  SIGHTLINE_LOG_LEVEL is "loud", but has to be debug, info, warn, error, fatal or silent.',
      '  SIGHTLINE_PORT is "tcp://10.0.0.1:80", but has to be a whole number from 0 to 65535.',
      '  SIGHTLINE_WORKERS is "0", but has to be a whole number from 1 to 256.',
    ].join('\n'),
  );
});

test.each(['-1', '65536', '1e3', '0x50', '80.5', 'NaN', '8 0'])('%s is not a port', (port) => {
  expect(refusal({ SIGHTLINE_PORT: port })).toContain('a whole number from 0 to 65535');
});

test.each([
  ['0', 0],
  ['10737418240', 10_737_418_240],
  ['12B', 12],
  ['3kB', 3_000],
  ['256MB', 256_000_000],
  ['512 MiB', 536_870_912],
  ['2GiB', 2_147_483_648],
  ['1TB', 1_000_000_000_000],
])('a reserve of %s is %i bytes', (text, bytes) => {
  expect(parseConfig({ SIGHTLINE_STORAGE_RESERVE: text }).config.storageReserve).toBe(bytes);
});

test.each(['-1', '1.5GB', '256 megabytes', '10%', 'MB', '2G', '1e9'])(
  '%s is not a valid reserve',
  (text) => {
    expect(refusal({ SIGHTLINE_STORAGE_RESERVE: text })).toContain(
      `SIGHTLINE_STORAGE_RESERVE is "${text}", but has to be a number of bytes, or a number with a unit, such as 256MB or 2GiB.`,
    );
  },
);

test('the queue has room for the second image of a comparison', () => {
  expect(parseConfig({ SIGHTLINE_QUEUE_LIMIT: '1' }).config.queueLimit).toBe(1);
  expect(refusal({ SIGHTLINE_QUEUE_LIMIT: '0' })).toContain('a whole number from 1 to 10000');
});

describe('the address on which the service listens', () => {
  test.each(['localhost', '127.0.0.1', '::1', '0.0.0.0', '::', '192.168.1.5'])(
    '%s is accepted',
    (host) => {
      expect(parseConfig({ SIGHTLINE_HOST: host }).config.host).toBe(host);
    },
  );

  test.each(['example.com', '127.0.0.1x', '1.2.3', 'http://127.0.0.1'])('%s is refused', (host) => {
    for (const name of ['SIGHTLINE_HOST', 'SIGHTLINE_OPS_HOST']) {
      expect(refusal({ [name]: host })).toContain(
        `${name} is "${host}", but has to be localhost or an IP address`,
      );
    }
  });
});

test('the memory for bodies follows the memory that the process may use', () => {
  const { bodyMemory: bytes } = parseConfig({}).config;
  expect(bytes).toBe(Math.min(Math.max(Math.floor(usableMemory() / 4), 2 ** 28), 2 ** 30));
  expect(parseConfig({ SIGHTLINE_BODY_MEMORY: '64MiB' }).config.bodyMemory).toBe(2 ** 26);
});

test('a process reads the variables of its groups and ignores those of the others', () => {
  const environment = { SIGHTLINE_DATA: '/data', SIGHTLINE_WORKERS: 'many' };
  const { config, warnings } = parseGroups(environment, ['data']);
  expect(config).toEqual({ data: '/data', storageReserve: 256_000_000 });
  expect(warnings).toEqual([]);
});

describe('variables that nothing reads', () => {
  test('a misspelled variable causes a warning that names the intended variable', () => {
    expect(parseConfig({ SIGHTLINE_MODEL_DIR: 'x' }).warnings).toEqual([
      'SIGHTLINE_MODEL_DIR is set, but nothing reads it. Did you mean SIGHTLINE_MODELS_DIR?',
    ]);
  });

  test('a variable similar to no other causes a plain warning', () => {
    expect(parseConfig({ SIGHTLINE_SERVICE_ACCOUNT_NAME: 'x', OTHER: 'y' }).warnings).toEqual([
      'SIGHTLINE_SERVICE_ACCOUNT_NAME is set, but nothing reads it.',
    ]);
  });
});

describe('descriptions', () => {
  test.each([
    ['help', () => configHelp(ALL_GROUPS)],
    ['markdown', configMarkdown],
  ])('the %s names every variable with its default', (_name, describeConfig) => {
    const lines = describeConfig().split('\n');
    for (const { name, default: text, defaultShown } of Object.values(VARIABLES)) {
      const line = lines.find((each) => each.includes(name));
      expect(line).toContain(defaultShown ?? text ?? 'unset');
    }
  });

  test('the help of a process has the variables of its groups', () => {
    const help = configHelp(['process', 'data']);
    expect(help).toMatch(/^Every process:\n {2}SIGHTLINE_HOST /);
    expect(help).toMatch(
      /\n\nData folder:\n {2}SIGHTLINE_DATA .* \(\.\/data\)\n {2}SIGHTLINE_STORAGE_RESERVE [^\n]*$/,
    );
    expect(help).not.toContain('SIGHTLINE_S3_ENDPOINT');
  });

  test('a default that depends on the machine is described, not computed', () => {
    expect(configMarkdown()).toContain('| `SIGHTLINE_WORKERS` | one per CPU core');
  });
});

test.each([
  'https://user:hidden@s3.example.org',
  'http://s3.example.org/path?key=1',
  'ftp://s3.example.org',
  's3.example.org:9000',
])('%s is not an S3 address, and its secrets are not shown', (endpoint) => {
  const said = refusal({ SIGHTLINE_S3_ENDPOINT: endpoint });
  expect(said).toContain('has to be http:// or https:// and a host');
  expect(said).not.toContain('hidden');
});

test.each([
  'https://faces.example.org/path',
  'https://faces.example.org/?a=1',
  'https://user:hidden@faces.example.org',
])('%s is not the address of a service, and its secrets are not shown', (url) => {
  const said = refusal({ SIGHTLINE_PUBLIC_URL: url });
  expect(said).toContain('has to be an address without a path');
  expect(said).not.toContain('hidden');
});

test.each(['kafka:9092,', 'kafka', 'user:hidden@kafka:9092', '[::1]:9092', 'kafka://kafka:9092'])(
  '%s are not brokers, and secrets are not shown',
  (brokers) => {
    const said = refusal({ SIGHTLINE_KAFKA_BROKERS: brokers });
    expect(said).toContain('has to be host:port, or several of these separated by commas');
    expect(said).not.toContain('hidden');
  },
);

test.each([
  'mysql://user:hidden@host/db',
  'postgres://user:hidden@host',
  'user:hidden@host/db',
  'postgres:user:hidden@/db',
])('%s is not a database address, and its secrets are not shown', (url) => {
  for (const name of ['SIGHTLINE_DATABASE_URL', 'SIGHTLINE_DATABASE_OWNER_URL']) {
    const said = refusal({ [name]: url });
    expect(said).toContain(
      `${name} has to have the form postgres://user:password@host/database?sslmode=`,
    );
    expect(said).not.toContain('hidden');
  }
});

test.each([
  'http://user:hidden@host',
  'http:/user:hidden@host',
  'user:hidden@host',
  'http://a:1,http://user:hid@den@host',
  'http://user:\nhidden@host',
])('%j is not an address, and its secrets are not shown', (address) => {
  const said = refusal({ SIGHTLINE_INFERENCE_URL: address });
  expect(said).toMatch(/SIGHTLINE_INFERENCE_URL is "(http:\/\/)?\*{3}@host", but has to be/);
  expect(said).not.toMatch(/hid|den/);
});

describe('the address of inference', () => {
  test('is one address or several', () => {
    const read = (text: string) =>
      parseConfig({ SIGHTLINE_INFERENCE_URL: text }).config.inferenceUrl;
    expect(read('http://a:1')).toEqual(['http://a:1']);
    expect(read('http://a:1, https://b')).toEqual(['http://a:1', 'https://b']);
    expect(read('')).toBeNull();
  });

  test.each(['a:1', 'http://a:1,', 'http://a:1/path', 'http://a:1,b'])('is not %s', (text) => {
    expect(refusal({ SIGHTLINE_INFERENCE_URL: text })).toContain(
      'has to be http:// or https:// and a host, or several such',
    );
  });
});

test.each(['10.0.0.0/8', '192.0.2.7, 2001:db8::/32', '::1'])('trusted proxies: %s', (text) => {
  const result = parseConfig({ SIGHTLINE_TRUSTED_PROXIES: text });
  expect(result).toMatchObject({ config: { trustedProxies: text.split(', ') } });
});

test.each(['nginx', '10.0.0.0/33', '10.0.0/8', '10.0.0.1,', '::/129', 'fe80::1%eth0'])(
  'the trusted proxies %j are refused',
  (text) => {
    const said = refusal({ SIGHTLINE_TRUSTED_PROXIES: text });
    expect(said).toContain('has to be an IP address or a network such as 10.0.0.0/8');
  },
);
