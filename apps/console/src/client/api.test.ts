import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { Api } from './api.ts';
import { isTemporary, ProblemError, UnreachableError } from './api-error.ts';
import { RequestLog } from './request-log.ts';
import { toCurl } from './to-curl.ts';

const KEY = { 'Idempotency-Key': 'the-key' };

const original = globalThis.fetch;
afterEach(() => {
  globalThis.fetch = original;
});

function answerWith(body: unknown, init: ResponseInit = {}) {
  const fetched = jest.fn<typeof fetch>(() =>
    Promise.resolve(
      Response.json(body, { headers: { 'Content-Type': 'application/json' }, ...init }),
    ),
  );
  globalThis.fetch = fetched;
  return fetched;
}

const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
  answerWith(
    { type: 'about:blank', title: 'Refused', status, detail: 'No.', code, request_id: 'r1' },
    { status, headers: { 'Content-Type': 'application/problem+json', ...headers } },
  );

function open(environment: number | null = 3) {
  const log = new RequestLog();
  const sessionEnded = jest.fn();
  return { log, sessionEnded, api: new Api({ environment, log, sessionEnded }) };
}

test.each(['text/html; charset=utf-8', 'text/plain'])(
  'an answer of the type "%s" is not that of the service, so it can be expected later',
  async (type) => {
    answerWith('<p>Sign in</p>', { headers: { 'Content-Type': type } });
    const answer = open().api.read('getDetection', { path: { id: 7 } });
    await expect(answer).rejects.toThrow(UnreachableError);
    expect(isTemporary(await answer.catch((error: unknown) => error))).toBe(true);
  },
);

describe('a request', () => {
  test('names the environment, and has its parameters in path, query and body', async () => {
    const fetched = answerWith({ operation_id: null, undone: 0, skipped: [] });
    const { api } = open();
    await api.send('undoOperation', {
      path: { id: 7 },
      headers: KEY,
      query: { async: true },
      body: { strict: true },
    });
    const [target, init] = fetched.mock.calls[0]!;
    expect(target).toBe('/api/operations/7/undo?async=true');
    expect(init).toMatchObject({
      method: 'POST',
      headers: { 'X-Environment-Id': '3', 'Content-Type': 'application/json' },
      body: '{"strict":true}',
    });
  });

  test('with a file is a form', async () => {
    const fetched = answerWith({ faces: [], objects: [], image_width: 1, image_height: 1 });
    const { api, log } = open();
    const file = new File(['x'], 'anna.jpg', { type: 'image/jpeg' });
    await api.read('testImage', { body: { file } }).catch(() => undefined);
    const body = fetched.mock.calls[0]![1]!.body as FormData;
    expect((body.get('file') as File).name).toBe('anna.jpg');
    expect(log.entries[0]!.body).toEqual({ form: ['file=@anna.jpg'] });
  });

  test('outside environments names none', async () => {
    const fetched = answerWith({ items: [] });
    await open(null).api.read('listEnvironments');
    expect(fetched.mock.calls[0]![1]!.headers).toEqual({});
  });
});

describe('an answer', () => {
  test('names the operation that was recorded', async () => {
    answerWith(
      { operation_id: 12, undone: 1, skipped: [] },
      { headers: { 'Content-Type': 'application/json', 'X-Operation-Id': '12' } },
    );
    const sent = await open().api.send('undoOperation', {
      path: { id: 7 },
      headers: KEY,
      body: {},
    });
    expect(sent).toMatchObject({ status: 200, operationId: 12, body: { undone: 1 } });
  });

  test('that does not match its contract is a fault', async () => {
    answerWith({ items: 'none' });
    await expect(open().api.read('listEnvironments')).rejects.toThrow(
      /does not match its contract/,
    );
  });

  test('that refuses has the problem, and when to try again', async () => {
    problem(429, 'rate_limited', { 'Retry-After': '17' });
    const error = await open()
      .api.read('listEnvironments')
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(ProblemError);
    expect(error).toMatchObject({ retryAfter: 17, problem: { code: 'rate_limited' } });
    expect(isTemporary(error)).toBe(true);
  });

  test('that refuses because the session has ended says so once', async () => {
    problem(401, 'unauthenticated');
    const { api, sessionEnded } = open();
    await expect(api.read('listImages')).rejects.toThrow(ProblemError);
    expect(sessionEnded).toHaveBeenCalledTimes(1);
  });

  test('of a proxy in front of the service counts as none', async () => {
    globalThis.fetch = () => Promise.resolve(new Response('<h1>502</h1>', { status: 502 }));
    await expect(open().api.read('listImages')).rejects.toThrow(UnreachableError);
  });

  test('whose connection ends in the middle can be asked for again', async () => {
    const broken = new ReadableStream({
      start: (controller) => controller.error(new TypeError('network error')),
    });
    const headers = { 'Content-Type': 'application/json' };
    globalThis.fetch = () => Promise.resolve(new Response(broken, { headers }));
    const error = await open()
      .api.read('listImages')
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnreachableError);
  });

  test('that does not arrive can be asked for again', async () => {
    globalThis.fetch = () => Promise.reject(new TypeError('Failed to fetch'));
    const error = await open()
      .api.read('listImages')
      .catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(UnreachableError);
    expect(isTemporary(error)).toBe(true);
  });
});

test('a request is shown as a command whose key is a variable', async () => {
  answerWith({ operation_id: null, undone: 0, skipped: [] });
  const { api, log } = open();
  await api.send('undoOperation', { path: { id: 7 }, headers: KEY, body: { label: "Anna's" } });
  expect(toCurl(log.entries[0]!, 'http://service')).toBe(
    [
      `curl -X POST 'http://service/api/operations/7/undo'`,
      `-H "X-API-Key: $SIGHTLINE_API_KEY"`,
      `-H 'Content-Type: application/json'`,
      String.raw`-d '{"label":"Anna'\''s"}'`,
    ].join(' \\\n  '),
  );
});

test('a request is shown without the secrets that it sends', async () => {
  globalThis.fetch = () => Promise.resolve(new Response(null, { status: 204 }));
  const { api, log } = open(null);
  const body = { current_password: 'open sesame', new_password: 'correct horse' };
  await api.send('changePassword', { body });
  expect(log.entries[0]!.body).toEqual({
    json: '{"current_password":"…","new_password":"…"}',
  });
});
