import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { RouteContract } from '@sightline/contracts/define-contract';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';

let api: ApiServer;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
});
afterAll(() => api[Symbol.asyncDispose]());

const photo = new File(['anna'], 'anna.jpg');
const notChosen = new File([], '');
const base64 = Buffer.from('anna').toString('base64');

async function post(path: string, members: readonly (readonly [string, string | File])[]) {
  const form = new FormData();
  for (const [name, value] of members) form.append(name, value);
  const response = await api.fetch(path, { method: 'POST', body: form });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('a form as browsers send it', () => {
  test.each<[string, string, [string, string | File][]]>([
    [
      'other sources of the image',
      '/api/test?type=faces',
      [
        ['file', photo],
        ['image_url', ''],
        ['image_base64', ''],
      ],
    ],
    [
      'no file chosen',
      '/api/test?type=faces',
      [
        ['file', notChosen],
        ['image_base64', base64],
      ],
    ],
    [
      'numbers',
      '/api/identify',
      [
        ['file', photo],
        ['threshold', ''],
        ['top_n', ''],
      ],
    ],
    [
      'a number with an exponent',
      '/api/identify',
      [
        ['file', photo],
        ['threshold', '5e-1'],
      ],
    ],
    [
      'a label',
      '/api/detect/faces',
      [
        ['file', photo],
        ['label', ''],
      ],
    ],
    [
      'an empty flag',
      '/api/detect/faces',
      [
        ['file', photo],
        ['replace', ''],
      ],
    ],
    [
      'a ticked box',
      '/api/detect/faces',
      [
        ['file', photo],
        ['replace', 'on'],
      ],
    ],
    [
      'a box that is not ticked',
      '/api/detect/faces',
      [
        ['file', photo],
        ['replace', 'off'],
      ],
    ],
    [
      'files of a batch',
      '/api/test/batch?type=faces',
      [
        ['file', photo],
        ['file', notChosen],
      ],
    ],
    [
      'URLs of a batch',
      '/api/detect/bulk',
      [
        ['file', photo],
        ['image_urls', ''],
        ['image_urls', ''],
      ],
    ],
  ])('may have empty fields: %s', async (_, path, members) => {
    expect(await post(path, members)).toMatchObject({ status: 200 });
  });

  test('of which an empty file with a name is refused as such', async () => {
    const { body } = await post('/api/test?type=faces', [['file', new File([], 'a.jpg')]]);
    expect(body).toMatchObject({ code: 'image_source', detail: 'The file in file is empty.' });
  });

  test('with nothing in it has no image', async () => {
    const { body } = await post('/api/test?type=faces', [
      ['file', notChosen],
      ['image_url', ''],
    ]);
    expect(body).toMatchObject({ code: 'image_source' });
    expect(body.detail).toContain('0 were given');
  });
});

describe('a text field that has a file name', () => {
  const textFields = Object.values<RouteContract>(API_CONTRACTS).flatMap(({ path, request }) => {
    const isForm = request.body?.maxBytes['multipart/form-data'] !== undefined;
    const shape = isForm ? request.body.fields.shape : {};
    return Object.keys(shape).map((field) => [path.replace(/\{\w+\}/, '1'), field] as const);
  });

  test.each(textFields)('is refused by its name: %s, %s', async (path, field) => {
    const { status, body } = await post(path, [
      ['file', photo],
      [field, new File(['1'], field)],
    ]);
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 'invalid_request', errors: [{ path: field }] });
  });

  test('is refused on every route that takes forms with text', () => {
    expect(new Set(textFields.map(([path]) => path)).size).toBeGreaterThanOrEqual(9);
  });

  test('of an unknown name is ignored', async () => {
    const unknown = new File(['1'], 'unknown');
    const { status } = await post('/api/identify', [
      ['file', photo],
      ['unknown', unknown],
    ]);
    expect(status).toBe(200);
  });
});

describe('a request that announces JSON and has no body', () => {
  const send = async (method: string, path: string) => {
    const key = await api.createKey({ isAdmin: true });
    const headers = { 'Content-Type': 'application/json', 'X-API-Key': key };
    const response = await api.fetch(path, { method, headers });
    return response.json();
  };

  test('has none where it may', async () => {
    expect(await send('PUT', '/api/models/999999/activate')).toMatchObject({ status: 404 });
  });

  test('is refused where one is needed', async () => {
    expect(await send('POST', '/api/detections/query')).toMatchObject({ code: 'invalid_json' });
  });
});
