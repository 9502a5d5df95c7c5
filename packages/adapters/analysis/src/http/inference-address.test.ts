import type { AnalyzerStatus } from '@sightline/core/models/analyzer-status';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { FACE_MODEL, OBJECT_MODEL } from '@sightline/core/models/testing/sample-models';
import { encodeStatus } from '@sightline/engine/wire/status-message';
import { MalformedMessage } from '@sightline/engine/wire/wire-errors';
import { InferenceAddress } from './inference-address.ts';

const COLD: AnalyzerStatus = { ready: false, provider: 'cpu', models: [FACE_MODEL], report: [] };
const WARM: AnalyzerStatus = { ...COLD, ready: true };
const BOTH: AnalyzerStatus = { ...WARM, models: [FACE_MODEL, OBJECT_MODEL] };
const signal = new AbortController().signal;

test('returns the latest status after each previous one', async () => {
  let body = '';
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) }).end(body);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const address = new InferenceAddress(new URL(`http://127.0.0.1:${port}`), {
    guardOf: () => ({ guard: (operation) => operation(signal) }),
    key: null,
    onKeyRefused: undefined,
  });
  try {
    for (const status of [COLD, COLD, WARM, BOTH, WARM, WARM, COLD]) {
      body = encodeStatus(status);
      expect(await address.status(signal)).toEqual(status);
    }
    const whole = body;
    body = whole.slice(0, -1);
    await expect(address.status(signal)).rejects.toThrow(MalformedMessage);
    body = whole;
    expect(await address.status(signal)).toEqual(COLD);
  } finally {
    await address[Symbol.asyncDispose]();
    server.close();
  }
});

test.each([
  [['new', 'old'], ['new'], ['new']],
  [['new', 'old'], ['old'], ['new', 'old']],
  [['old'], ['new', 'old'], ['old']],
])(
  'a caller that has the keys %j calls a process that accepts %j',
  async (keys, accepted, sent) => {
    const seen: string[] = [];
    const refused: string[] = [];
    const server = createServer((request, response) => {
      const key = request.headers.authorization?.replace('Bearer ', '') ?? '';
      seen.push(key);
      const body = accepted.includes(key) ? encodeStatus(WARM) : '{}';
      const length = { 'content-length': Buffer.byteLength(body) };
      response.writeHead(accepted.includes(key) ? 200 : 401, length).end(body);
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const address = new InferenceAddress(new URL(`http://127.0.0.1:${port}`), {
      guardOf: () => ({ guard: (operation) => operation(signal) }),
      key: () => keys,
      onKeyRefused: (url) => refused.push(url),
    });
    try {
      expect(await address.status(signal)).toEqual(WARM);
      expect([seen, refused]).toEqual([sent, []]);
      expect(await address.status(signal)).toEqual(WARM);
      expect(seen).toEqual([...sent, sent.at(-1)]);
    } finally {
      await address[Symbol.asyncDispose]();
      server.close();
    }
  },
);
