import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { mediaKey } from '@sightline/core/media/media-key';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { IdentityProvider } from '@sightline/test/support/servers/identity-provider';
import { describeWithMinio } from '@sightline/test/support/servers/minio';
import type { MinioProcess } from '@sightline/test/support/servers/minio-process';
import { exchangeToken } from './exchange-token.ts';
import { toStoreUnavailable } from './s3-error.ts';
import { S3MediaStore } from './s3-media-store.ts';
import type { WebIdentity } from './s3-options.ts';

const resources = new AsyncDisposableStack();
let tokenFile: string;
beforeAll(async () => {
  tokenFile = join(resources.use(await temporaryFolder()).path, 'token');
});
afterAll(() => resources.disposeAsync());

describeWithMinio('a MinIO that trusts the tokens of a cluster', () => {
  const key = mediaKey(1, 'crops', { digest: '0f'.repeat(32), extension: 'jpg' });
  let provider: IdentityProvider;
  let minio: MinioProcess;

  beforeAll(async () => {
    provider = resources.use(await IdentityProvider.start());
    minio = resources.use(await provider.startMinio());
  });

  function open(): S3MediaStore {
    const keys = { tokenFile, roleArn: null, stsEndpoint: minio.endpoint };
    return new S3MediaStore({ ...minio.options(), keys });
  }

  test('accepts the keys that it issues for a token', async () => {
    await writeFile(tokenFile, `${provider.token('readwrite', 3600)}\n`);
    using store = open();
    await store.prepare();
    await store.put(key, new Uint8Array(10));
    const found = await store.open(key);
    expect(found!.size).toBe(10);
    await found!.body.cancel();
  });

  test('refuses a token that has expired, and accepts the one that replaces it', async () => {
    await writeFile(tokenFile, provider.token('readwrite', -3600));
    using store = open();
    await expect(store.prepare()).rejects.toMatchObject({
      message: 'The token service of the media store refuses the web identity.',
      refusal: 'access_denied',
    });
    await writeFile(tokenFile, provider.token('readwrite', 3600));
    // The failure is remembered for a second.
    await sleep(1_000);
    await store.prepare();
  });
});

const CREDENTIALS = `<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult><Credentials>
  <SessionToken>session/token+=</SessionToken><SecretAccessKey>hidden/+=</SecretAccessKey>
  <Expiration>2030-01-01T01:00:00Z</Expiration><AccessKeyId>ASIAKEY</AccessKeyId>
</Credentials></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>`;

describe('a token service', () => {
  let answer: RequestListener;
  let identity: WebIdentity;
  let asked: URLSearchParams[];

  beforeAll(async () => {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          asked.push(new URLSearchParams(Buffer.concat(chunks).toString()));
          answer(request, response);
        });
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    resources.defer(() => void server.close());
    resources.defer(() => server.closeAllConnections());
    const { port } = server.address() as AddressInfo;
    const stsEndpoint = new URL(`http://127.0.0.1:${port}`);
    identity = { tokenFile, roleArn: 'arn:aws:iam::1:role/photos', stsEndpoint };
  });
  beforeEach(async () => {
    asked = [];
    await writeFile(tokenFile, 'a.b.c\n');
  });

  const failure = (work: Promise<unknown>) =>
    work.then(
      () => null,
      (error: unknown) => toStoreUnavailable(error).message,
    );

  test('gets the token and the role, and its clock decides when keys expire', async () => {
    answer = (_, response) => {
      response.setHeader('date', 'Tue, 01 Jan 2030 00:15:00 GMT').end(CREDENTIALS);
    };
    expect(await exchangeToken(identity)).toEqual({
      keys: { accessKey: 'ASIAKEY', secretKey: 'hidden/+=', sessionToken: 'session/token+=' },
      lifetimeMs: 45 * 60_000,
    });
    expect(Object.fromEntries(asked[0]!)).toEqual({
      Action: 'AssumeRoleWithWebIdentity',
      Version: '2011-06-15',
      WebIdentityToken: 'a.b.c',
      RoleArn: 'arn:aws:iam::1:role/photos',
      RoleSessionName: 'sightline',
    });
  });

  test.each<[string, RequestListener, string]>([
    [
      'refuses',
      (_, response) =>
        void response.writeHead(400).end('<Error><Code>InvalidIdentityToken</Code></Error>'),
      'The token service of the media store refuses the web identity.',
    ],
    [
      'is overloaded',
      (_, response) => void response.writeHead(503).end(),
      'The token service of the media store does not answer.',
    ],
    [
      'breaks off',
      (_, response) => void response.destroy(),
      'The token service of the media store cannot be reached.',
    ],
    [
      'is another server',
      (_, response) => void response.end('<html></html>'),
      'The token service of the media store does not answer like one.',
    ],
  ])('that %s is named in the error', async (_, given, sentence) => {
    answer = given;
    expect(await failure(exchangeToken(identity))).toBe(sentence);
  });

  test.each([
    ['cannot be reached', 'http://127.0.0.1:2', 'cannot be reached'],
    ['does not speak TLS', null, 'does not speak TLS'],
  ])('that %s is named in the error', async (_, address, sentence) => {
    const secure = identity.stsEndpoint.href.replace('http:', 'https:');
    const elsewhere = { ...identity, stsEndpoint: new URL(address ?? secure) };
    expect(await failure(exchangeToken(elsewhere))).toBe(
      `The token service of the media store ${sentence}.`,
    );
  });

  test('is not asked without a token', async () => {
    const missing = { ...identity, tokenFile: `${tokenFile}-missing` };
    expect(await failure(exchangeToken(missing))).toBe(
      'The file with the web identity token cannot be read.',
    );
    expect(asked).toEqual([]);
  });
});
