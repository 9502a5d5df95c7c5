import { once } from 'node:events';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { AnalysisRequest, ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { backgroundOf, type Tenant } from '@sightline/core/analysis/tenant';
import { analyzedFace } from '@sightline/core/analysis/testing/fake-analyzer';
import { AnalysisFailed, ModelNotHere } from '@sightline/core/models/model-errors';
import { FACE_MODEL, OBJECT_MODEL, warmModel } from '@sightline/core/models/testing/sample-models';
import type { ReportedModel } from '@sightline/core/models/analyzer-status';
import { encodeStatus } from '@sightline/engine/wire/status-message';
import type { ActiveModel } from '@sightline/core/models/model';
import { encodeAnswer } from '@sightline/engine/wire/answer-message';
import { describeError, describeVersionMismatch } from '@sightline/engine/wire/error-message';
import { MalformedMessage, WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import { HttpImageAnalyzer } from './http-image-analyzer.ts';

const UNAVAILABLE = {
  code: 'inference_unavailable',
  message: 'Inference cannot be reached; try again later.',
};
const NOTHING: ImageAnalysis = {
  image: { format: 'jpeg', width: 7, height: 5, takenAt: null },
  faces: null,
  faceRegions: null,
  objects: null,
  source: null,
  boxCrops: [],
};

let resources: AsyncDisposableStack;
beforeEach(() => {
  resources = new AsyncDisposableStack();
});
afterEach(() => resources.disposeAsync());

/** An analyzer whose only address is a server with this listener. */
async function openAt(listener: RequestListener) {
  const { url, sockets } = await listen(listener);
  return { ...openAnalyzer([url]), sockets };
}

function openAnalyzer(urls: readonly URL[]) {
  const analyzer = resources.use(new HttpImageAnalyzer({ urls }));
  const analyze = (request: Omit<AnalysisRequest, 'image'> = {}) =>
    analyzer.analyze({ ...request, image: Uint8Array.of(1, 2, 3) });
  return { analyzer, analyze };
}

async function listen(listener: RequestListener) {
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
  return { url: new URL(`http://127.0.0.1:${port}`), sockets };
}

function send(response: ServerResponse, body: string | Uint8Array, status = 200): void {
  response.writeHead(status, { 'content-length': body.length }).end(body);
}

const messageOf = (analysis: ImageAnalysis) => Buffer.concat(encodeAnswer(analysis));

const endless = () =>
  new Readable({
    read() {
      this.push(Buffer.alloc(65_536));
    },
  });

test('a connection that ends before the response means that inference was lost, and a refused one does not', async () => {
  const lost = { ...UNAVAILABLE, crash: 'inference' };
  const { url } = await listen((request) => void request.socket.destroy());
  await expect(openAnalyzer([url]).analyze()).rejects.toMatchObject(lost);
  const refusing = openAnalyzer([new URL('http://127.0.0.1:1')]);
  await expect(refusing.analyze()).rejects.not.toHaveProperty('crash');
});

test('a lost connection counts only if the retry failed, too, and no worker thread died of the image', async () => {
  const ended: RequestListener = (request) => void request.socket.destroy();
  const full: RequestListener = (_request, response) => {
    response.writeHead(429, { 'content-length': 0 }).end();
  };
  const died: RequestListener = (_request, response) => {
    send(response, JSON.stringify(describeError(new AnalysisFailed('A worker ended.'))), 503);
  };
  const ask = async (...listeners: readonly RequestListener[]) => {
    const servers = await Promise.all(listeners.map((listener) => listen(listener)));
    return openAnalyzer(servers.map(({ url }) => url)).analyze();
  };
  await expect(ask(ended, full, full)).rejects.toMatchObject({ code: 'overloaded' });
  await expect(ask(ended, ended, full)).rejects.toMatchObject({ crash: 'inference' });
  await expect(ask(ended, died)).rejects.toMatchObject({ crash: 'thread' });
});

describe('an invalid body', () => {
  test.each<[string, (response: ServerResponse) => void]>([
    ['has no length and does not end', (response) => void endless().pipe(response)],
    [
      'declares too large a length',
      (response) => void endless().pipe(response.writeHead(200, { 'content-length': 2 ** 40 })),
    ],
    [
      'is an error of gigabytes',
      (response) => void endless().pipe(response.writeHead(500, { 'content-length': 2 ** 29 })),
    ],
  ])('that %s is not read, and its connection is discarded', async (_, answer) => {
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
    [
      'is shorter than its head declares',
      (response) => send(response, messageOf(NOTHING).subarray(9)),
    ],
    [
      'exceeds its length',
      (response) => {
        const message = messageOf(NOTHING);
        response.socket!.write(`HTTP/1.1 200 OK\r\ncontent-length: ${message.length - 1}\r\n\r\n`);
        response.socket!.end(message);
      },
    ],
    ['is an HTML page', (response) => send(response, '<html>Welcome</html>')],
    ['is an HTML error page', (response) => send(response, '<html>', 502)],
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

describe('an answer that does not match the request', () => {
  const model = { ...FACE_MODEL, embeddingDim: 2 };
  const faces = { detectionThreshold: 0.5, embed: true, attributes: false };
  const requested = { faces: { ...faces, fullFramePass: false, upright: false } };
  const region = { bbox: { x: 0, y: 0, w: 1, h: 1 }, landmarks: null };
  const embedded = (embedding: Float32Array) => ({
    embedding,
    embeddingSource: 'box' as const,
    landmarks: null,
  });
  const withFace = (embedding: Float32Array): ImageAnalysis => ({
    ...NOTHING,
    faces: { model, items: [analyzedFace({ embedding, crop: null })] },
  });
  const unit = Float32Array.of(0.6, 0.8);

  test.each<[string, Omit<AnalysisRequest, 'image'>, ImageAnalysis]>([
    ['with faces that were not requested', {}, withFace(unit)],
    ['with vectors of another length', requested, withFace(Float32Array.of(1))],
    ['with vectors that are not finite', requested, withFace(Float32Array.of(NaN, 0))],
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
      'without the requested images',
      {
        ...requested,
        renditions: { source: { maxSize: 9, quality: 85 }, crops: { padding: 0, quality: 75 } },
      },
      { ...withFace(unit), source: { jpeg: Uint8Array.of(1), width: 1, height: 1 } },
    ],
    [
      'without the crops of boxes, as from an older release',
      { renditions: { crops: { padding: 0, quality: 75 }, boxes: [region.bbox] } },
      NOTHING,
    ],
  ])('%s is rejected', async (_, request, analysis) => {
    const { analyze } = await openAt((_request, response) => send(response, messageOf(analysis)));
    const cause = expect.any(MalformedMessage);
    await expect(analyze(request)).rejects.toMatchObject({ ...UNAVAILABLE, cause });
  });

  test('is distinguished from one that matches', async () => {
    const { analyze } = await openAt((_request, response) =>
      send(response, messageOf(withFace(unit))),
    );
    expect((await analyze(requested)).faces!.items[0]!.embedding).toEqual(unit);
  });
});

test('a 429 of a proxy counts as overloaded', async () => {
  const { analyze } = await openAt((_request, response) => send(response, 'slow down', 429));
  await expect(analyze()).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
});

describe('a tenant', () => {
  const FLOOD = { environment: '1', caller: 'key-1' };
  const OTHER = { environment: '2', caller: 'key-2' };
  const JOBS = backgroundOf({ environmentId: 1 });

  test('is named in headers, beside the message', async () => {
    const names: unknown[] = [];
    const { analyze } = await openAt(({ headers }, response) => {
      names.push([headers['sightline-tenant'], headers['sightline-lane']]);
      send(response, messageOf(NOTHING));
    });
    await analyze({ tenant: FLOOD });
    await analyze({ tenant: JOBS });
    await analyze();
    expect(names).toEqual([
      ['1/key-1', undefined],
      ['1/jobs', 'background'],
      ['/', undefined],
    ]);
  });

  test('goes to the process with the fewest callers, and background work to the least busy one', async () => {
    const waiting: { readonly process: number; readonly response: ServerResponse }[] = [];
    const servers = await Promise.all(
      [0, 1].map((process) => listen((_, response) => waiting.push({ process, response }))),
    );
    const { analyze } = openAnalyzer(servers.map(({ url }) => url));
    const asked: Promise<unknown>[] = [];
    const ask = async (tenant: Tenant) => {
      asked.push(analyze({ tenant }));
      while (waiting.length < asked.length) await new Promise((next) => setImmediate(next));
      return waiting.at(-1)!.process;
    };
    const first = await ask(FLOOD);
    const other = 1 - first;
    expect([await ask(JOBS), await ask(JOBS), await ask(JOBS)].toSorted()).toEqual(
      [other, other, first].toSorted(),
    );
    // Each process now has two images. Only the first process has an interactive image, so the next one goes elsewhere.
    expect(await ask(FLOOD)).toBe(other);
    for (const { response } of waiting) send(response, messageOf(NOTHING));
    await Promise.all(asked);
  });

  test('that has just been refused by all processes has no room, others have', async () => {
    const { analyzer, analyze } = await openAt((_request, response) => send(response, '', 429));
    analyzer.requireRoom(FLOOD);
    await expect(analyze({ tenant: FLOOD })).rejects.toMatchObject({ code: 'overloaded' });
    expect(() => analyzer.requireRoom(FLOOD)).toThrow(
      expect.objectContaining({ code: 'overloaded' }),
    );
    analyzer.requireRoom(OTHER);
  });

  test('cannot take all connections to a process', async () => {
    const waiting: ServerResponse[] = [];
    const { analyze } = await openAt((request, response) => {
      if (request.headers['sightline-tenant'] === '2/key-2') send(response, messageOf(NOTHING));
      else waiting.push(response);
    });
    const flood = Array.from({ length: 300 }, () => analyze({ tenant: FLOOD }));
    const outcomes = Promise.allSettled(flood);
    await expect(analyze({ tenant: OTHER })).resolves.toEqual(NOTHING);
    await expect(flood.at(-1)).rejects.toMatchObject({ code: 'overloaded' });
    while (waiting.length < 86) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const response of waiting) send(response, messageOf(NOTHING));
    const answered = (await outcomes).filter(({ status }) => status === 'fulfilled');
    expect(answered).toHaveLength(86);
  });
});

test('a failed analysis does not count as an unavailable process', async () => {
  const error = describeError(new AnalysisFailed('A worker ended.'));
  const { analyze } = await openAt((_request, response) =>
    send(response, JSON.stringify(error), 503),
  );
  await expect(analyze()).rejects.toMatchObject({
    code: 'inference_unavailable',
    name: 'AnalysisFailed',
    message: 'A worker ended.',
  });
});

describe('a request that names models', () => {
  const model = { ...FACE_MODEL, embeddingDim: 2 };
  const found: ImageAnalysis = { ...NOTHING, faces: { model, items: [] } };
  const faces = {
    detectionThreshold: 0.5,
    embed: true,
    attributes: true,
    fullFramePass: false,
    upright: false,
  };
  const named = { faces, models: { face: model.revision } };
  const notHere = JSON.stringify(describeError(new ModelNotHere('Not here.')));

  /** Opens an analyzer over two processes. The first process does not have the model. */
  async function openTwo(answerOfOther: (response: ServerResponse) => void) {
    const asked: string[] = [];
    const urls = await Promise.all(
      (['first', 'other'] as const).map((name) =>
        listen((_request, response) => {
          asked.push(name);
          if (name === 'first') send(response, notHere, 503);
          else answerOfOther(response);
        }),
      ),
    );
    return { ...openAnalyzer(urls.map(({ url }) => url)), asked };
  }

  test('goes on to a process that has them, and for a moment directly there', async () => {
    const { analyze, asked } = await openTwo((response) => send(response, messageOf(found)));
    for (let i = 0; i < 6; i++) expect((await analyze(named)).faces!.model).toEqual(model);
    expect(asked.filter((name) => name === 'first').length).toBeLessThanOrEqual(1);
    // The first process did not fail, so requests without these models still go there.
    asked.length = 0;
    for (let i = 0; i < 2; i++) await analyze({ ...named, models: {} });
    expect(asked).toContain('first');
  });

  test('is refused because no process has them, unless a process failed', async () => {
    const none = await openTwo((response) => send(response, notHere, 503));
    await expect(none.analyze(named)).rejects.toMatchObject({ isNotHere: true });
    expect(none.asked.toSorted()).toEqual(['first', 'other']);
    const failing = await openTwo((response) => send(response, '<html>', 502));
    const error: unknown = await failing.analyze(named).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject(UNAVAILABLE);
    expect(error).not.toHaveProperty('isNotHere');
  });

  test('does not get the answer of another model from a process of an older release', async () => {
    const { analyze } = await openAt((_request, response) => send(response, messageOf(found)));
    const models = { face: 'e'.repeat(64) };
    await expect(analyze({ faces, models })).rejects.toMatchObject({ isNotHere: true });
    expect(await analyze({ faces, models: { object: 'e'.repeat(64) } })).toEqual(found);
  });
});

test('desired models reach all processes that respond, and those with a serving file ignore them', async () => {
  const seen: string[] = [];
  const current = await listen((request, response) => {
    seen.push(`${request.method} ${request.url}`);
    response.writeHead(204).end();
  });
  const withFile = await listen((_request, response) => {
    seen.push('file');
    send(response, '{"code":"not_found"}', 404);
  });
  const down = new URL('http://127.0.0.1:9');
  const { analyzer } = openAnalyzer([down, withFile.url, current.url]);
  const { signal } = new AbortController();
  const faces = { task: 'face', revision: 'f'.repeat(64), keep: 'loaded' } as const;
  await analyzer.hold({ provider: 'auto', models: [faces] }, signal);
  expect(seen.toSorted()).toEqual(['PUT /v1/models', 'file']);
});

test('an overloaded process may omit the retry time', async () => {
  const error = { code: 'overloaded', detail: 'Full.', facts: {}, retryAfter: null };
  const { analyze } = await openAt((_request, response) =>
    send(response, JSON.stringify(error), 429),
  );
  await expect(analyze()).rejects.toMatchObject({ code: 'overloaded', retryAfterSeconds: 1 });
});

test('reports a process of an older release, with both versions', async () => {
  const error = describeVersionMismatch(new WireVersionMismatch([0], [1]));
  const { analyze } = await openAt((request, response) =>
    request.method === 'GET'
      ? send(response, JSON.stringify({ wire: 0 }))
      : send(response, JSON.stringify(error), 400),
  );
  await expect(analyze()).rejects.toMatchObject({
    code: 'inference_unavailable',
    message: 'The inference process runs another release; try again later.',
    cause: { spoken: [1], message: expect.stringMatching(/version 1 .* version 0\.$/) },
  });
});

test('the combined status has one model for objects, be their classes fixed or free', async () => {
  const statusOf = (model: ActiveModel) =>
    listen((_, response) =>
      send(response, encodeStatus({ ready: true, provider: 'cpu', models: [model], report: [] })),
    );
  const words: ActiveModel = { ...OBJECT_MODEL, name: 'words', task: 'open_vocabulary' };
  const [first, second] = [await statusOf(OBJECT_MODEL), await statusOf(words)];
  const { analyzer } = openAnalyzer([first.url, second.url]);
  expect((await analyzer.status()).models).toEqual([OBJECT_MODEL]);
});

test('the combined status reports the models of all processes, each in its best state', async () => {
  const statusOf = (report: readonly ReportedModel[]) =>
    listen((_, response) =>
      send(response, encodeStatus({ ready: true, provider: 'cpu', models: [FACE_MODEL], report })),
    );
  const combined = async (...all: readonly ReportedModel[]) => {
    const servers = await Promise.all(all.map((model) => statusOf([model])));
    return (await openAnalyzer(servers.map(({ url }) => url)).analyzer.status()).report;
  };
  const [warm, warming] = [warmModel(FACE_MODEL), warmModel(FACE_MODEL, { state: 'warming' })];
  expect(await combined(warming, warm)).toEqual([warm]);
  expect(await combined(warming)).toEqual([warming]);
  expect(await combined(warm, warmModel(OBJECT_MODEL))).toHaveLength(1);
});

test.each([
  ['is there while its models are on the CPU', { provider: 'cpu', hasGpu: true }, true],
  ['is not there', { provider: 'cpu', hasGpu: false }, false],
  ['of an older release has its models', { provider: 'cuda' }, true],
  ['of an older release is not known without models', { provider: 'cpu' }, false],
] as const)('the GPU of a process %s', async (_what, gpu, available) => {
  const { url } = await listen((_, response) =>
    send(response, encodeStatus({ ready: true, models: [OBJECT_MODEL], report: [], ...gpu })),
  );
  const { analyzer } = openAnalyzer([url]);
  expect(await analyzer.gpuAvailable()).toBe(available);
});
