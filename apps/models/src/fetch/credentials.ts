import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelFetchFailed } from '@sightline/core/models/model-source';
import type { S3Keys } from '@sightline/platform/config/read-s3-settings';

/**
 * The `Authorization` header from a mounted Secret with the files `token`, or `username` and `password`; undefined
 * without a folder.
 */
export async function readAuthorization(folder: string | undefined): Promise<string | undefined> {
  if (folder === undefined) return undefined;
  const token = await read(folder, 'token');
  if (token !== null) return `Bearer ${token}`;
  const [username, password] = [await read(folder, 'username'), await read(folder, 'password')];
  if (username === null || password === null) {
    throw incomplete('token, or username and password');
  }
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
}

/**
 * The S3 keys from a mounted Secret with the files `accessKey`, `secretKey` and, optionally, `sessionToken`; empty keys
 * without a folder.
 */
export async function readS3Keys(folder: string | undefined): Promise<S3Keys> {
  if (folder === undefined) return { accessKey: '', secretKey: '', sessionToken: null };
  const [accessKey, secretKey, sessionToken] = await Promise.all(
    ['accessKey', 'secretKey', 'sessionToken'].map((name) => read(folder, name)),
  );
  if (accessKey == null || secretKey == null) throw incomplete('accessKey and secretKey');
  return { accessKey, secretKey, sessionToken: sessionToken ?? null };
}

async function read(folder: string, name: string): Promise<string | null> {
  const text = await readFile(join(folder, name), 'utf8').catch(() => null);
  return text?.trim() ?? null;
}

function incomplete(keys: string): ModelFetchFailed {
  return new ModelFetchFailed(`The Secret of the source must have the keys ${keys}.`, {
    reason: 'access_denied',
  });
}
