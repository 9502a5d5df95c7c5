import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfig } from './parse-config.ts';
import { readS3Settings, type S3Keys, type S3Settings } from './read-s3-settings.ts';
import { ALL_GROUPS } from './variable-groups.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

const endpoint = { SIGHTLINE_S3_ENDPOINT: 'https://s3.example.org:9000' };
const read = (environment: Record<string, string>) =>
  readS3Settings(parseConfig(environment, ALL_GROUPS).config);

const keysOf = (settings: S3Settings | null) => (settings!.keys as () => S3Keys)();

test('without an endpoint there is no S3, whatever else is set', () => {
  expect(read({ SIGHTLINE_S3_ACCESS_KEY: 'a', SIGHTLINE_S3_BUCKET: 'pictures' })).toBeNull();
});

test('an S3 is configured by variables and files', async () => {
  const file = join(folder, 'secret');
  await writeFile(file, 'much-hidden\n');
  const settings = read({
    ...endpoint,
    SIGHTLINE_S3_ACCESS_KEY: 'reader',
    SIGHTLINE_S3_SECRET_KEY_FILE: file,
    SIGHTLINE_S3_VIRTUAL_HOSTS: 'on',
  });
  expect(settings).toEqual({
    endpoint: new URL('https://s3.example.org:9000'),
    bucket: 'sightline',
    region: 'us-east-1',
    virtualHosts: true,
    keys: expect.any(Function),
  });
  const keys = { accessKey: 'reader', secretKey: 'much-hidden', sessionToken: null };
  expect(keysOf(settings)).toEqual(keys);
  await writeFile(file, 'another\n');
  expect(keysOf(settings)).toEqual({ ...keys, secretKey: 'another' });
});

test('temporary keys have a session token', () => {
  const settings = read({
    ...endpoint,
    SIGHTLINE_S3_ACCESS_KEY: 'reader',
    SIGHTLINE_S3_SECRET_KEY: 'hidden',
    SIGHTLINE_S3_SESSION_TOKEN: 'token',
  });
  expect(keysOf(settings)).toMatchObject({ sessionToken: 'token' });
});

describe('a web identity', () => {
  const AWS = { SIGHTLINE_S3_ENDPOINT: 'https://s3.eu-central-1.amazonaws.com' };
  let file: string;
  beforeEach(async () => {
    file = join(folder, 'token');
    await writeFile(file, 'a.b.c\n');
  });

  test.each<[string, Record<string, string>, string]>([
    [
      'of AWS',
      { ...AWS, SIGHTLINE_S3_REGION: 'eu-central-1' },
      'https://sts.eu-central-1.amazonaws.com/',
    ],
    [
      'of AWS in China',
      {
        SIGHTLINE_S3_ENDPOINT: 'https://s3.cn-north-1.amazonaws.com.cn',
        SIGHTLINE_S3_REGION: 'cn-north-1',
      },
      'https://sts.cn-north-1.amazonaws.com.cn/',
    ],
    ['of another server', endpoint, 'https://s3.example.org:9000/'],
    [
      'with an address',
      { ...endpoint, SIGHTLINE_S3_STS_ENDPOINT: 'https://sts.example.org' },
      'https://sts.example.org/',
    ],
    [
      'of the SDKs',
      { ...AWS, AWS_ENDPOINT_URL_STS: 'https://sts.internal/path' },
      'https://sts.internal/path',
    ],
  ])('asks the token service %s', (_, environment, sts) => {
    const tokens = { AWS_WEB_IDENTITY_TOKEN_FILE: file, AWS_ROLE_ARN: 'arn:aws:iam::1:role/a' };
    expect(read({ ...environment, ...tokens })!.keys).toEqual({
      tokenFile: file,
      roleArn: 'arn:aws:iam::1:role/a',
      stsEndpoint: new URL(sts),
    });
  });

  test('has variables of its own, which precede those of the SDKs', async () => {
    const own = join(folder, 'own');
    await writeFile(own, 'd.e.f');
    const settings = read({
      ...endpoint,
      SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE: own,
      AWS_WEB_IDENTITY_TOKEN_FILE: file,
    });
    expect(settings!.keys).toMatchObject({ tokenFile: own, roleArn: null });
  });

  test('has a token service whose address is checked only with it', () => {
    const sts = { AWS_ENDPOINT_URL_STS: 'sts.internal' };
    expect(() => read({ ...endpoint, ...sts, AWS_WEB_IDENTITY_TOKEN_FILE: file })).toThrow(
      'SIGHTLINE_S3_STS_ENDPOINT or AWS_ENDPOINT_URL_STS has to be an http:// or https:// URL.',
    );
    const keys = { SIGHTLINE_S3_ACCESS_KEY: 'a', SIGHTLINE_S3_SECRET_KEY: 'b' };
    expect(typeof read({ ...endpoint, ...sts, ...keys })!.keys).toBe('function');
  });

  test('is not used if there are keys', () => {
    const keys = { SIGHTLINE_S3_ACCESS_KEY: 'reader', SIGHTLINE_S3_SECRET_KEY: 'hidden' };
    const settings = read({ ...endpoint, ...keys, AWS_WEB_IDENTITY_TOKEN_FILE: file });
    expect(keysOf(settings)).toMatchObject({ accessKey: 'reader' });
  });

  test('needs a file that can be read', () => {
    expect(() => read({ ...endpoint, AWS_WEB_IDENTITY_TOKEN_FILE: '/nowhere/token' })).toThrow(
      'The file /nowhere/token of SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE cannot be read (ENOENT).',
    );
  });
});

describe('one sentence explains', () => {
  const given = { ...endpoint, SIGHTLINE_S3_ACCESS_KEY: 'reader' };

  test.each<[string, Record<string, string>, RegExp]>([
    [
      'no credentials',
      endpoint,
      /ENDPOINT is set, but neither SIGHTLINE_S3_ACCESS_KEY nor \S+ is\. A web identity instead of keys needs SIGHTLINE_S3_WEB_IDENTITY_TOKEN_FILE\.$/,
    ],
    ['half of them', given, /neither SIGHTLINE_S3_SECRET_KEY nor SIGHTLINE_S3_SECRET_KEY_FILE is/],
    [
      'both forms',
      { ...given, SIGHTLINE_S3_SECRET_KEY: 'hidden', SIGHTLINE_S3_SECRET_KEY_FILE: '/x' },
      /^SIGHTLINE_S3_SECRET_KEY and SIGHTLINE_S3_SECRET_KEY_FILE are both set: unset one of them.$/,
    ],
    [
      'a missing file',
      { ...given, SIGHTLINE_S3_SECRET_KEY_FILE: '/nowhere/secret' },
      /^The file \/nowhere\/secret of SIGHTLINE_S3_SECRET_KEY_FILE cannot be read \(ENOENT\).$/,
    ],
  ])('%s', (_, environment, sentence) => {
    expect(() => read(environment)).toThrow(sentence);
  });

  test('an empty file', async () => {
    const file = join(folder, 'empty');
    await writeFile(file, '\n');
    expect(() => read({ ...given, SIGHTLINE_S3_SECRET_KEY_FILE: file })).toThrow(/is empty\.$/);
  });
});
