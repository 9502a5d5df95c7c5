import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import { CacheFolder } from '../cache-folder.ts';
import { CONTENT } from '../testing/publication.ts';
import { type Answer, digestOf, PublishedServer, serving } from '../testing/published-server.ts';
import { DOWNLOAD_LIMITS, downloadFile } from './download-file.ts';
import { HttpSource } from './http-source.ts';

const SCRIPT = join(import.meta.dirname, '..', 'fixtures', 'download-published.ts');

test('a download resumes where a killed process ended', async () => {
  const cache = await mkdtemp(join(tmpdir(), 'sightline-killed-'));
  await using server = await PublishedServer.start();
  const half: Answer = (_request, response) => {
    response.writeHead(200, { etag: '"1"', 'Content-Length': CONTENT.length });
    response.write(CONTENT.subarray(0, CONTENT.length / 2));
  };
  server.answers = [half, serving(CONTENT)];
  const address = `${server.url}/model.onnx`;
  const killed = spawn(process.execPath, ['--no-warnings', SCRIPT, cache, address]);
  await once(killed.stdout, 'data');
  killed.kill('SIGKILL');
  await once(killed, 'exit');
  await using http = new GuardedFetch({ ownEndpoints: () => [] });
  const found = await downloadFile(
    { address, sha256: null, bytes: null },
    {
      cache: new CacheFolder(cache),
      source: new HttpSource(new URL(address), { http, reach: 'private' }),
      limits: { ...DOWNLOAD_LIMITS, tries: 1 },
      requireRoom: () => Promise.resolve(),
      pause: () => Promise.resolve(),
      onProgress: () => undefined,
      signal: new AbortController().signal,
    },
  );
  expect(found.sha256).toBe(digestOf(CONTENT));
  expect(server.requests[1]!.range).toMatch(/^bytes=[1-9]\d*-$/);
  await rm(cache, { recursive: true });
});
