import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Problem } from '@sightline/contracts/problem';
import { Api } from '../client/api.ts';
import { ProblemError, UnreachableError } from '../client/api-error.ts';
import { RequestLog } from '../client/request-log.ts';
import { createSender, mayBeOfSome, pauseAfter } from './send-uploads.ts';
import { filesToSources, type Upload, type UploadSource, USUAL_CHOICES } from './upload.ts';

const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0);
const photo = (name: string) => filesToSources([new File([JPEG], name)])[0]!;

const original = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = original;
});

/** Answers requests in order. Those that start a job have another status. */
function answerWith(...bodies: object[]) {
  const fetched = jest.fn<typeof fetch>(() => {
    const body = bodies.shift()!;
    return Promise.resolve(Response.json(body, { status: 'job_id' in body ? 202 : 200 }));
  });
  globalThis.fetch = fetched;
  return fetched;
}

const item = (index: number, changed: object) => ({
  index,
  status: 'done',
  name: null,
  source_image_id: index + 100,
  code: null,
  detail: null,
  measured: { faces: 1, objects: 0 },
  finished_at: '2026-01-01T00:00:00.000Z',
  ...changed,
});

/** Sends photos in one request, and returns what was reported of each, in order. */
async function send(sources: readonly UploadSource[], choices = USUAL_CHOICES) {
  const reported: [number, Upload['state']][] = [];
  const uploads = sources.map((source, id) => ({
    id,
    source,
    choices,
    key: `key-${id}`,
    state: { name: 'sending' } as const,
    isAlone: false,
  }));
  const api = new Api({ environment: 3, log: new RequestLog() });
  await createSender(api, () => 1_000)(
    { key: 'the-key', uploads },
    ({ id }, state) => reported.push([id, state]),
    new AbortController().signal,
  );
  return reported;
}

describe('a photo', () => {
  test('that cannot be one is not sent', async () => {
    const fetched = answerWith();
    const text = new File(['no picture'], '<script>.jpg');
    expect(await send([{ name: text.name, file: text }])).toMatchObject([
      [0, { name: 'failed', error: { fault: 'no_picture' } }],
    ]);
    expect(await send([{ name: 'locked.jpg' }])).toMatchObject([
      [0, { error: { fault: 'unreadable' } }],
    ]);
    expect(fetched).not.toHaveBeenCalled();
  });
});

describe('several photos', () => {
  const started = { job_id: 7, status: 'pending', total: 2 };

  test('are a job, in which each has its own result', async () => {
    const fetched = answerWith(
      started,
      {
        items: [item(0, {}), item(1, { status: 'running', source_image_id: null })],
        next_cursor: null,
        has_more: false,
      },
      {
        items: [
          item(0, {}),
          item(1, {
            status: 'failed',
            source_image_id: null,
            code: 'image_corrupt',
            detail: 'Cut.',
          }),
        ],
        next_cursor: null,
        has_more: false,
      },
    );
    const text = new File(['no picture'], 'note.jpg');
    const sources = [{ name: 'note.jpg', file: text }, photo('1.jpg'), photo('صورة 📷.jpg')];
    const reported = await send(sources, { ...USUAL_CHOICES, detect: 'faces', replaces: true });
    const stored = { imageId: 100, faces: 1, objects: 0, isKnown: false };
    expect(reported).toMatchObject([
      [0, { name: 'failed' }],
      [1, { name: 'queued' }],
      [2, { name: 'queued' }],
      [1, { name: 'stored', stored }],
      [2, { name: 'failed', error: { message: 'Cut.' } }],
    ]);
    const [target, init] = fetched.mock.calls[0]!;
    const form = init!.body as FormData;
    expect(target).toBe('/api/detect/bulk?async=true');
    expect(init!.headers).toMatchObject({ 'Idempotency-Key': 'the-key' });
    expect(form.getAll('file').map((file) => (file as File).name)).toEqual([
      '1.jpg',
      'صورة 📷.jpg',
    ]);
    expect([form.get('type'), form.get('replace')]).toEqual(['faces', 'true']);
  });

  test('at addresses are a list of these', async () => {
    const fetched = answerWith(started, {
      items: [item(0, {}), item(1, {})],
      next_cursor: null,
      has_more: false,
    });
    const urls = ['https://a.example/1.jpg', 'https://a.example/2.jpg'];
    await send(urls.map((url) => ({ name: url, url })));
    expect(JSON.parse(fetched.mock.calls[0]![1]!.body as string)).toEqual({
      image_urls: urls,
      type: 'all',
    });
  });
});

describe('a request that fails', () => {
  const refusal = (status: number, code: Problem['code'], retryAfter: number | null = null) =>
    new ProblemError(
      { type: 'about:blank', title: 'No', status, detail: 'No.', code, request_id: 'r1' },
      retryAfter,
    );

  test.each([
    ['a busy service', refusal(429, 'overloaded', 1), 1],
    ['too many jobs', refusal(429, 'too_many_jobs', 10), 10],
    ['an unavailable service', refusal(503, 'inference_unavailable'), 5],
    ['an ended session', refusal(401, 'unauthenticated'), 5],
    ['a lost connection', new UnreachableError('lost'), 5],
    ['a corrupt photo', refusal(422, 'image_corrupt'), null],
    ['a missing right', refusal(403, 'forbidden'), null],
  ])('because of %s is repeated or not', (_, error, seconds) => {
    expect(pauseAfter(error)).toBe(seconds);
  });

  test('is divided if some photos may be the reason, and not if none may be sent', () => {
    expect(mayBeOfSome(refusal(413, 'body_too_large'))).toBe(true);
    expect(mayBeOfSome(refusal(409, 'idempotency_mismatch'))).toBe(true);
    expect(mayBeOfSome(refusal(403, 'forbidden'))).toBe(false);
    expect(mayBeOfSome(new TypeError('other'))).toBe(false);
  });
});
