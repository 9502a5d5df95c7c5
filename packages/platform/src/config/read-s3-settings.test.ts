import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parseConfig } from './parse-config.ts';
import { readS3Settings } from './read-s3-settings.ts';
import { ALL_GROUPS } from './variable-groups.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sightline-secrets-'));
});
afterEach(() => rm(folder, { recursive: true }));

const endpoint = { SIGHTLINE_S3_ENDPOINT: 'https://s3.example.org:9000' };
const read = (environment: Record<string, string>) =>
  readS3Settings(parseConfig(environment, ALL_GROUPS).config);

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
    readKeys: expect.any(Function),
  });
  const keys = { accessKey: 'reader', secretKey: 'much-hidden', sessionToken: null };
  expect(settings!.readKeys()).toEqual(keys);
  await writeFile(file, 'another\n');
  expect(settings!.readKeys()).toEqual({ ...keys, secretKey: 'another' });
});

test('temporary keys have a session token', () => {
  const settings = read({
    ...endpoint,
    SIGHTLINE_S3_ACCESS_KEY: 'reader',
    SIGHTLINE_S3_SECRET_KEY: 'hidden',
    SIGHTLINE_S3_SESSION_TOKEN: 'token',
  });
  expect(settings!.readKeys()).toMatchObject({ sessionToken: 'token' });
});

describe('one sentence explains', () => {
  const given = { ...endpoint, SIGHTLINE_S3_ACCESS_KEY: 'reader' };

  test.each<[string, Record<string, string>, RegExp]>([
    ['no credentials', endpoint, /ENDPOINT is set, but neither SIGHTLINE_S3_ACCESS_KEY nor/],
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
