import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { readRecording, recordServer, replayServer } from './recorded-server.ts';
import { temporaryFolder } from '../fixtures/temporary-folder.ts';

async function ask(url: URL, path: string, body: string): Promise<string> {
  const response = await fetch(new URL(path, url), { method: 'POST', body });
  return `${response.status} ${await response.text()}`;
}

test('what was recorded is answered again, in any order of different requests', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'recording.json.gz');
  let count = 0;
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(201).end(`${request.url} ${String(request.headers['api-key'])} ${++count}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const real = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  {
    await using proxy = await recordServer(real, { 'api-key': 'secret' });
    expect(await ask(proxy.url, '/a?b=1', 'x')).toBe('201 /a?b=1 secret 1');
    await ask(proxy.url, '/a?b=1', 'x');
    await ask(proxy.url, '/a?b=1', 'y');
    proxy.save(file, '1.2.3');
  }
  server.closeAllConnections();
  server.close();
  const recording = readRecording(file);
  expect(recording.version).toBe('1.2.3');
  await using replay = await replayServer(recording, 'make it');
  expect(await ask(replay.url, '/a?b=1', 'y')).toBe('201 /a?b=1 secret 3');
  expect(await ask(replay.url, '/a?b=1', 'x')).toBe('201 /a?b=1 secret 1');
  expect(await ask(replay.url, '/a?b=1', 'x')).toBe('201 /a?b=1 secret 2');
  expect(await ask(replay.url, '/a?b=1', 'x')).toBe('201 /a?b=1 secret 2');
  replay.verify();
  await ask(replay.url, '/a?b=1', 'z');
  expect(() => {
    replay.verify();
  }).toThrow('The recording does not have POST /a?b=1: "make it" records anew.');
  replay.verify();
});
