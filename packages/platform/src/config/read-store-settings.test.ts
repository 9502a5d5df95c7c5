import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { parseConfig } from './parse-config.ts';
import { readDatabaseOwner, readDatabaseSettings } from './read-database-settings.ts';
import { readInferenceSettings, readOwnInferenceKey } from './read-inference-settings.ts';
import { readQdrantSettings } from './read-qdrant-settings.ts';
import { ALL_GROUPS } from './variable-groups.ts';

const configOf = (environment: Record<string, string>) =>
  parseConfig(environment, ALL_GROUPS).config;

describe('a store that is not configured', () => {
  test.each([
    ['database', readDatabaseSettings],
    ['Qdrant', readQdrantSettings],
    ['inference', readInferenceSettings],
  ])('is none, whatever else is set: %s', (_, read) => {
    const config = configOf({
      SIGHTLINE_DATABASE_PASSWORD: 'hidden',
      SIGHTLINE_QDRANT_API_KEY: 'hidden',
    });
    expect(read(config)).toBeNull();
  });
});

test('a database is configured by its URL, and may have another password for the service', () => {
  const url = 'postgresql://owner:p%40ss@db.example.org:5433/sightline?sslmode=verify-full';
  const given = { SIGHTLINE_DATABASE_URL: url, SIGHTLINE_DATABASE_CONNECTIONS: '4' };
  const read = expect.any(Function);
  const limits = { connections: 4, statementTimeout: 30_000, lockTimeout: 10_000 };
  const settings = { url: read, roleSuffix: '', ...limits };
  expect(readDatabaseSettings(configOf(given))).toEqual({ ...settings, password: null });
  const config = configOf({ ...given, SIGHTLINE_DATABASE_PASSWORD: 'hidden' });
  expect(readDatabaseSettings(config)).toEqual({ ...settings, password: expect.any(Function) });
  expect(readDatabaseSettings(config)!.password!()).toEqual(['hidden']);
});

test('the address of a database may be in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sightline-secrets-'));
  const file = join(folder, 'url');
  const url = 'postgres://sightline_app:hidden@host/sightline?sslmode=verify-full';
  writeFileSync(file, `${url}\n`);
  const config = configOf({
    SIGHTLINE_DATABASE_URL_FILE: file,
    SIGHTLINE_DATABASE_OWNER_URL_FILE: file,
  });
  expect(readDatabaseSettings(config)?.url()).toEqual([url]);
  expect(readDatabaseOwner(config)).toBe(url);
  rmSync(folder, { recursive: true });
  expect(() => readDatabaseSettings(config)).toThrow(
    /^The file .* of SIGHTLINE_DATABASE_URL_FILE cannot be read \(ENOENT\)\.$/,
  );
});

test('a database may be on a Unix socket', () => {
  const url = 'postgres://owner@%2Frun%2Fpostgres/sightline';
  expect(readDatabaseSettings(configOf({ SIGHTLINE_DATABASE_URL: url }))?.url()).toEqual([url]);
});

test('a password may be given only once', () => {
  const config = configOf({
    SIGHTLINE_DATABASE_URL: 'postgres://owner@host/sightline',
    SIGHTLINE_DATABASE_PASSWORD: 'hidden',
    SIGHTLINE_DATABASE_PASSWORD_FILE: '/run/secrets/password',
  });
  expect(() => readDatabaseSettings(config)).toThrow(
    /^SIGHTLINE_DATABASE_PASSWORD and SIGHTLINE_DATABASE_PASSWORD_FILE are both set: unset one/,
  );
});

test('a Qdrant is configured by its address', () => {
  const given = { SIGHTLINE_QDRANT_URL: 'http://qdrant:6333' };
  const settings = { url: new URL('http://qdrant:6333'), shards: 1, replicas: 1 };
  expect(readQdrantSettings(configOf(given))).toEqual({ ...settings, apiKey: null });
  const config = configOf({ ...given, SIGHTLINE_QDRANT_API_KEY: 'hidden' });
  expect(readQdrantSettings(config)).toEqual({ ...settings, apiKey: expect.any(Function) });
  expect(readQdrantSettings(config)!.apiKey!()).toEqual(['hidden']);
});

test('inference processes are configured by their addresses', () => {
  const key = 'sixteen-letters!';
  const config = configOf({
    SIGHTLINE_INFERENCE_URL: 'http://a:1,http://b:2',
    SIGHTLINE_INFERENCE_KEY: key,
  });
  expect(readInferenceSettings(config)).toEqual({
    urls: [new URL('http://a:1'), new URL('http://b:2')],
    isName: false,
    key: expect.any(Function),
    routes: 'database',
  });
});

test('InferenceRoutes as source of the active models require inference processes', () => {
  expect(() => readInferenceSettings(configOf({ SIGHTLINE_ROUTES: 'kubernetes' }))).toThrow(
    /SIGHTLINE_ROUTES is kubernetes, so models run in pods: set SIGHTLINE_INFERENCE_URL/,
  );
});

test('inference processes are configured by a name that resolves to several addresses', () => {
  const key = 'sixteen-letters!';
  const given = { SIGHTLINE_INFERENCE_KEY: key };
  const config = configOf({ ...given, SIGHTLINE_INFERENCE_URL: 'dns+http://inference:8080' });
  expect(readInferenceSettings(config)).toEqual({
    urls: [new URL('http://inference:8080')],
    isName: true,
    key: expect.any(Function),
    routes: 'database',
  });
  for (const wrong of [
    'dns+http://a:1,dns+http://b:2',
    'dns+http://a:1,http://b:2',
    'dns+https://a:1',
    'dns+http://a:1/path',
    'dns+a:1',
  ]) {
    expect(() => configOf({ ...given, SIGHTLINE_INFERENCE_URL: wrong })).toThrow(
      /SIGHTLINE_INFERENCE_URL.*dns\+http:\/\/ and a name/,
    );
  }
});

describe('the key of inference', () => {
  test.each(['http://127.0.0.1:1', 'http://localhost:1,http://[::1]:2', 'http://127.9.9.9'])(
    'is not needed to call %s',
    (url) => {
      const config = configOf({ SIGHTLINE_INFERENCE_URL: url });
      expect(readInferenceSettings(config)?.key).toBeNull();
    },
  );

  test.each(['http://inference:1', 'http://127.0.0.1:1,http://10.0.0.2:1', 'http://[fd00::1]'])(
    'is needed to call %s',
    (url) => {
      const config = configOf({ SIGHTLINE_INFERENCE_URL: url });
      expect(() => readInferenceSettings(config)).toThrow(
        /another machine: set SIGHTLINE_INFERENCE_KEY or SIGHTLINE_INFERENCE_KEY_FILE to the/,
      );
    },
  );

  test('is needed to listen for other machines', () => {
    expect(readOwnInferenceKey(configOf({}))).toBeNull();
    expect(readOwnInferenceKey(configOf({ SIGHTLINE_HOST: '::1' }))).toBeNull();
    const open = { SIGHTLINE_HOST: '0.0.0.0' };
    expect(() => readOwnInferenceKey(configOf(open))).toThrow(
      /^SIGHTLINE_HOST is 0\.0\.0\.0, so other machines can reach this process: set SIGHTLINE_INFERENCE_KEY /,
    );
    const key = 'sixteen-letters!';
    const given = configOf({ ...open, SIGHTLINE_INFERENCE_KEY: key });
    expect(readOwnInferenceKey(given)?.()).toEqual([key]);
  });

  test('may have a second line with another valid key, and no third', () => {
    const [key, previous] = ['sixteen-letters!', 'sixteen-before-!'];
    const read = (text: string) => readOwnInferenceKey(configOf({ SIGHTLINE_INFERENCE_KEY: text }));
    expect(read(`${key}\r\n\n ${previous}\n`)?.()).toEqual([key, previous]);
    expect(() => read(`${key}\n${previous}\n${key}`)).toThrow(
      /^SIGHTLINE_INFERENCE_KEY has 3 lines: give the current secret, and in a second line/,
    );
    expect(() => read(`${key}\ntoo-short`)).toThrow(/at least 16 visible ASCII characters/);
  });

  test.each(['fifteen-letters', 'a key with spaces in it', 'ein Schl\u00fcssel-ist-das'])(
    'is not %j, which is not repeated',
    (key) => {
      const read = () => readOwnInferenceKey(configOf({ SIGHTLINE_INFERENCE_KEY: key }));
      expect(read).toThrow(/has to consist of at least 16 visible ASCII characters/);
      expect(read).not.toThrow(key);
    },
  );
});
