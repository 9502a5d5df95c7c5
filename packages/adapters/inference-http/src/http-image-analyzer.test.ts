import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AnalysisRequest, ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { analyzedFace } from '@sightline/core/analysis/testing/fake-analyzer';
import { FACE_MODEL } from '@sightline/core/models/testing/sample-models';
import { encodeAnswer } from '@sightline/engine/wire/answer-message';
import { describeVersionMismatch } from '@sightline/engine/wire/error-message';
import { MalformedMessage, WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import { HttpImageAnalyzer } from './http-image-analyzer.ts';

const UNAVAILABLE = {
  code: 'inference_unavailable',
  message: 'Inference cannot be reached; try again later.',
};
const NOTHING: ImageAnalysis = {
  image: { format: 'jpeg', width: 7, height: 5 },
  ...{ faces: null, faceRegions: null, objects: null, source: null },
};

let resources: AsyncDisposableStack;
beforeEach(() => {
  resources = new AsyncDisposableStack();
});
afterEach(() => resources.disposeAsync());

/** An analyzer at a process that does what the listener does. */
async function openAt(listener: RequestListener) {
  const sockets: Socket[] = [];
  const server = createServer((request, response) => {
    request.resume();
    listener(request, response);
  });
  server.on('connection', (socket) => sockets.push(socket));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  resources.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const url = new URL(`http://127.0.0.1:${port}`);
  const analyzer = resources.use(new HttpImageAnalyzer({ urls: [url] }));
  const analyze = (request: Omit<AnalysisRequest, 'image'> = {}) =>
    analyzer.analyze({ ...request, image: Uint8Array.of(1, 2, 3) });
  return { analyzer, analyze, sockets };
}

function send(response: ServerResponse, body: string | Uint8Array, status = 200): void {
  response.writeHead(status, { 'content-length': body.length }).end(body);
}

const messageOf = (analysis: ImageAnalysis) => Buffer.concat(encodeAnswer(analysis));

/** Endless, and as fast as it is read. */
const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });

describe('a body that is none', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['says no length and does not end', (response) => void endless().pipe(response)],
    [
      'says too large a length',
      (response) => void endless().pipe(response.writeHead(200, { 'content-length': 2 ** 40 })),
    ],
    [
      'is an error of gigabytes',
      (response) => void endless().pipe(response.writeHead(500, { 'content-length': 2 ** 29 })),
    ],
  ])('%s: it is not read, and its connection is given up', async (_, answer) => {
    const { analyze, analyzer, sockets } = await openAt((_request, response) => answer(response));
    const cause = expect.any(MalformedMessage);
    await expect(analyze()).rejects.toMatchObject({ ...UNAVAILABLE, cause });
    await expect(analyzer.status()).rejects.toMatchObject({ ...UNAVAILABLE, cause });
    expect(sockets.length).toBeGreaterThan(1);
    while (sockets.some(({ closed }) => !closed)) await new Promise((next) => setImmediate(next));
  });

  test.each<[string, (response: ServerResponse) => void]>([
    [
      'ends in the middle',
      (response) => {
        response.writeHead(200, { 'content-length': 1000 }).write(messageOf(NOTHING));
        setTimeout(() => response.destroy(), 10);
      },
    ],
    ['is shorter than its head says', (response) => send(response, messageOf(NOTHING).subarray(9))],
    [
      'goes on behind its length',
      (response) => {
        const message = messageOf(NOTHING);
        response.socket!.write(`HTTP/1.1 200 OK\r\ncontent-length: ${message.length - 1}\r\n\r\n`);
        response.socket!.end(message);
      },
    ],
    ['is a page', (response) => send(response, '<html>Welcome</html>')],
    ['is a page that says of a failure', (response) => send(response, '<html>', 502)],
    ['is nothing', (response) => void response.writeHead(204).end()],
    [
      'is elsewhere',
      (response) => void response.writeHead(307, { location: '/', 'content-length': 0 }).end(),
    ],
  ])('%s', async (_, answer) => {
    const { analyze } = await openAt((_request, response) => answer(response));
    await expect(analyze()).rejects.toMatchObject(UNAVAILABLE);
  });
});

describe('an answer to another question', () => {
  const model = { ...FACE_MODEL, embeddingDim: 2 };
  const faces = { ...{ detectionThreshold: 0.5, embed: true }, attributes: false };
  const asked = { faces: { ...faces, fullFramePass: false } };
  const region = { bbox: { x: 0, y: 0, w: 1, h: 1 }, landmarks: null };
  const embedded = (embedding: Float32Array) => ({
    ...{ embedding, embeddingSource: 'box' as const, landmarks: null },
  });
  const withFace = (embedding: Float32Array): ImageAnalysis => ({
    ...NOTHING,
    faces: { model, items: [analyzedFace({ embedding, crop: null })] },
  });
  const unit = Float32Array.of(0.6, 0.8);

  test.each<[string, Omit<AnalysisRequest, 'image'>, ImageAnalysis]>([
    ['with faces that were not asked for', {}, withFace(unit)],
    ['with vectors of another length', asked, withFace(Float32Array.of(1))],
    ['with vectors that are no numbers', asked, withFace(Float32Array.of(NaN, 0))],
    [
      'with fewer regions',
      { faceRegions: [region, region] },
      { ...NOTHING, faceRegions: { model, items: [embedded(unit)] } },
    ],
    [
      'with regions of another length',
      { faceRegions: [region] },
      { ...NOTHING, faceRegions: { model, items: [embedded(Float32Array.of(1, 0, 0))] } },
    ],
    [
      'without the images',
      {
        ...asked,
        renditions: { source: { maxSize: 9, quality: 85 }, crops: { padding: 0, quality: 75 } },
      },
      { ...withFace(unit), source: { jpeg: Uint8Array.of(1), width: 1, height: 1 } },
    ],
  ])('%s is none', async (_, request, analysis) => {
    const { analyze } = await openAt((_request, response) => send(response, messageOf(analysis)));
    const cause = expect.any(MalformedMessage);
    await expect(analyze(request)).rejects.toMatchObject({ ...UNAVAILABLE, cause });
  });

  test('is told from one to this question', async () => {
    const { analyze } = await openAt((_request, response) =>
      send(response, messageOf(withFace(unit))),
    );
    expect((await analyze(asked)).faces!.items[0]!.embedding).toEqual(unit);
  });
});

test('a proxy that says it is too much is waited for like a process that does', async () => {
  const { analyze } = await openAt((_request, response) => send(response, 'slow down', 429));
  await expect(analyze()).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
});

test('a process that is full may leave open for how long', async () => {
  const error = { code: 'overloaded', detail: 'Full.', facts: {}, retryAfter: null };
  const { analyze } = await openAt((_request, response) =>
    send(response, JSON.stringify(error), 429),
  );
  await expect(analyze()).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
});

test('a process of an older release does not understand, and both sides are named', async () => {
  const error = describeVersionMismatch(new WireVersionMismatch(0, 1));
  const { analyze } = await openAt((_request, response) =>
    send(response, JSON.stringify(error), 400),
  );
  await expect(analyze()).rejects.toMatchObject({
    code: 'inference_unavailable',
    message: 'Inference is of another release than this process; try again later.',
    cause: { spoken: 1, received: 0 },
  });
});
