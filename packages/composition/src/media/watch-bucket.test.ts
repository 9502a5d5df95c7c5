import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import type { S3MediaStore } from '@sightline/media/s3/s3-media-store';
import { createLogger } from '@sightline/platform/logging/logger';
import { createDependencyMetrics } from '@sightline/platform/metrics/dependency-metrics';
import { createMetricsRegistry } from '@sightline/platform/metrics/metrics-registry';
import { sampleLines } from '@sightline/platform/metrics/testing/sample-lines';
import { temporaryFolder } from '@sightline/test/support/fixtures/temporary-folder';
import { watchBucket } from './watch-bucket.ts';

const EMPTY_LIST = '<ListBucketResult><IsTruncated>false</IsTruncated></ListBucketResult>';

/** An S3 with one bucket, and its token service, at the same address. */
async function startServer() {
  const state = { issued: 0, lifetimeMs: 3_600_000, isDown: false };
  const server = createServer((request, response) => {
    request.resume();
    if (request.method !== 'POST') response.end(EMPTY_LIST);
    else if (state.isDown) response.writeHead(503).end();
    else response.end(issue(state));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    state,
    url: new URL(`http://127.0.0.1:${port}`),
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

function issue(state: { issued: number; lifetimeMs: number }): string {
  state.issued += 1;
  const expiration = new Date(Date.now() + state.lifetimeMs).toISOString();
  return `<R><AccessKeyId>a</AccessKeyId><SecretAccessKey>b</SecretAccessKey><Expiration>${expiration}</Expiration></R>`;
}

async function openBucket(url: URL, folder: string) {
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'a.b.c');
  const registry = createMetricsRegistry();
  const keys = { tokenFile, roleArn: null, stsEndpoint: url };
  const store = watchBucket(
    { endpoint: url, bucket: 'photos', region: 'us-east-1', virtualHosts: false, keys },
    { logger: createLogger({ level: 'silent' }), observer: createDependencyMetrics(registry) },
  );
  const samples = async () =>
    (await sampleLines(registry)).filter((line) => line.includes('token_service'));
  return Object.assign(store, { samples });
}

function isPrepared(bucket: S3MediaStore): Promise<boolean> {
  return bucket.prepare().then(
    () => true,
    () => false,
  );
}

const UP = 'sightline_dependency_up{dependency="token_service"}';
const OUTAGES = 'sightline_dependency_outages_total{dependency="token_service",kind="failing"}';

test('requests and pings use the same temporary keys', async () => {
  await using folder = await temporaryFolder();
  using server = await startServer();
  using bucket = await openBucket(server.url, folder.path);
  await bucket.prepare();
  await delay(400); // An answer this old no longer spares a ping.
  await bucket.requireAnswer();
  expect(server.state.issued).toBe(1);
  expect(await bucket.samples()).toEqual([`${UP} 1`]);
});

test('metrics show a token service that issues no keys, until it issues some', async () => {
  await using folder = await temporaryFolder();
  using server = await startServer();
  // Keys that have expired when they arrive are good for one request.
  server.state.lifetimeMs = -1_000;
  using bucket = await openBucket(server.url, folder.path);
  await bucket.prepare();
  server.state.isDown = true;
  await expect(bucket.prepare()).rejects.toThrow('token service');
  expect(await bucket.samples()).toEqual([`${UP} 0`, `${OUTAGES} 1`]);
  server.state.isDown = false;
  // The failure is remembered for a second.
  while (!(await isPrepared(bucket))) await delay(100);
  expect(await bucket.samples()).toEqual([`${UP} 1`, `${OUTAGES} 1`]);
});
