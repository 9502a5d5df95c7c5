import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { HttpError } from './http-errors.ts';
import { type MultipartForm, type MultipartLimits, readMultipart } from './read-multipart.ts';
import { Spool } from './spool.ts';

const LIMITS: Omit<MultipartLimits, 'timeoutMs'> = {
  maxBytes: 1_000_000,
  maxFiles: 3,
  maxFileBytes: 200_000,
  maxFields: 3,
  maxFieldBytes: 100,
};

const HOLDER = { environment: '1', caller: 'key-1' };
const BOUNDARY = 'xxBOUNDARYxx';
const HEAD = `POST / HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=${BOUNDARY}\r\n`;

let server: Server;
let port: number;
let mode: 'memory' | 'disk';
let spool: Spool;
let digests = false;
/** The timeout for a body, in ms. Only the test of a client that stops sending sets a short timeout. */
let timeoutMs: number;
let outcome: Promise<MultipartForm>;

beforeEach(async () => {
  timeoutMs = 3_600_000;
  spool = new Spool({ maxBytes: 1024 ** 3, reserveBytes: 0 });
  const { promise, resolve, reject } = Promise.withResolvers<MultipartForm>();
  promise.catch(() => undefined);
  outcome = promise;
  server = createServer((request, response) => {
    readMultipart(request, {
      limits: { ...LIMITS, timeoutMs },
      digests,
      fileFields: new Set(['photo']),
      textFields: new Set(['image_text', 'threshold']),
      texts: { paths: new Set(['image_text']), maxBytes: 1000, digests: false },
      ...(mode === 'disk' && { openSpool: () => spool.open(HOLDER) }),
    })
      .then(resolve, reject)
      .finally(() => {
        response.end();
        request.resume();
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  port = (server.address() as AddressInfo).port;
});

afterEach(async () => {
  server.closeAllConnections();
  server.close();
  await outcome.then(
    (form) => form[Symbol.asyncDispose](),
    () => undefined,
  );
  const own = `sightline-upload-${process.pid}-`;
  const left = (await readdir(tmpdir())).filter((name) => name.startsWith(own));
  expect(left).toEqual([]);
});

async function send(form: FormData): Promise<MultipartForm> {
  await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: form });
  return outcome;
}

/** Sends raw bytes as the body. The client disconnects after the form was read or refused. */
async function sendRaw(body: string | Buffer, headers = ''): Promise<MultipartForm> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => undefined);
  const length = headers === '' ? `Content-Length: ${Buffer.byteLength(body)}\r\n` : headers;
  socket.write(`${HEAD}${length}\r\n`);
  socket.write(body);
  try {
    return await outcome;
  } finally {
    socket.destroy();
  }
}

async function codeOf(form: Promise<MultipartForm>): Promise<string> {
  const error: unknown = await form.then(
    () => new Error('accepted'),
    (reason: unknown) => reason,
  );
  if (!(error instanceof HttpError)) throw error;
  return error.code;
}

function picture(size: number, seed: number): File {
  const bytes = Uint8Array.from({ length: size }, (_, i) => (i * 31 + seed) % 256);
  return new File([bytes], `photo ${seed}.jpg`, { type: 'image/jpeg' });
}

describe.each(['memory', 'disk'] as const)('with files kept in %s', (files) => {
  beforeEach(() => {
    mode = files;
    digests = false;
  });

  test.each(['; filename=""', ''])(
    'a part of a file field is a file with the name%s',
    async (name) => {
      const bytes = 'x'.repeat(LIMITS.maxFieldBytes + 1);
      const head = `Content-Disposition: form-data; name="photo"${name}\r\nContent-Type: image/jpeg`;
      const body = `--${BOUNDARY}\r\n${head}\r\n\r\n${bytes}\r\n--${BOUNDARY}--\r\n`;
      const {
        fields,
        files: [photo],
      } = await sendRaw(body);
      expect(fields.size).toBe(0);
      expect(photo).toMatchObject({ field: 'photo', filename: '', size: bytes.length });
      expect(Buffer.from(await photo!.read()).toString()).toBe(bytes);
    },
  );

  test('fields and files come in order, with all their bytes', async () => {
    const form = new FormData();
    form.append('type', 'face');
    form.append('file', picture(150_000, 1));
    form.append('file', picture(3, 2));
    form.append('label', 'Änne');
    form.append('label', 'Bob');
    form.append('empty', new File([], 'nothing'));

    const read = await send(form);

    expect(Object.fromEntries(read.fields)).toEqual({ type: ['face'], label: ['Änne', 'Bob'] });
    expect(read.files.map(({ field, filename, size }) => [field, filename, size])).toEqual([
      ['file', 'photo 1.jpg', 150_000],
      ['file', 'photo 2.jpg', 3],
      ['empty', 'nothing', 0],
    ]);
    const contents = await Promise.all(read.files.map((file) => file.read()));
    expect(contents[0]).toEqual(new Uint8Array(await picture(150_000, 1).arrayBuffer()));
    expect(contents[1]).toEqual(new Uint8Array(await picture(3, 2).arrayBuffer()));
    expect(contents[2]).toHaveLength(0);
  });

  test('the bytes are in their own buffer, which can be transferred', async () => {
    const form = new FormData();
    form.append('file', picture(3, 2));
    const bytes = await (await send(form)).files[0]!.read();
    expect(bytes.buffer.byteLength).toBe(3);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    expect(bytes).toHaveLength(0);
  });

  test('the bytes are hashed on request', async () => {
    const form = new FormData();
    form.append('file', picture(150_000, 1));
    form.append('file', picture(3, 2));
    digests = true;
    const read = await send(form);
    for (const file of read.files) {
      const bytes = await file.read();
      expect(bytes).toHaveLength(file.size);
      expect(file.digest).toEqual(createHash('sha256').update(bytes).digest());
    }
    expect(read.files).toHaveLength(2);
  });

  test('a file over its limit does not fail the form', async () => {
    const form = new FormData();
    form.append('file', picture(200_001, 1));
    form.append('file', picture(200_000, 2));
    const read = await send(form);
    expect(read.files.map((file) => file.tooLarge)).toEqual([true, false]);
    await expect(read.files[0]!.read()).rejects.toMatchObject({ code: 'file_too_large' });
    expect(await read.files[1]!.read()).toHaveLength(200_000);
  });

  test.each(['../../etc/passwd', 'C:\\temp\\passwd'])(
    'the folders of %s are cut off',
    async (name) => {
      const form = new FormData();
      form.append('file', new File(['x'], name));
      expect((await send(form)).files[0]!.filename).toBe('passwd');
    },
  );

  test('a field with the name of a prototype member is a normal field', async () => {
    const form = new FormData();
    form.append('__proto__', 'x');
    expect((await send(form)).fields.get('__proto__')).toEqual(['x']);
  });

  test('too many files', async () => {
    const form = new FormData();
    for (let i = 0; i < 4; i++) form.append('file', picture(10, i));
    expect(await codeOf(send(form))).toBe('too_many_parts');
  });

  test('too many fields', async () => {
    const form = new FormData();
    for (let i = 0; i < 4; i++) form.append('field', 'x');
    expect(await codeOf(send(form))).toBe('too_many_parts');
  });

  test('a field over its limit', async () => {
    const form = new FormData();
    form.append('field', 'x'.repeat(101));
    expect(await codeOf(send(form))).toBe('field_too_large');
  });

  test.each([
    ['cp1252', Buffer.from('Zo\xeb', 'latin1')],
    ['an encoded surrogate', Buffer.from('\xed\xa0\x80', 'latin1')],
  ])('a text in %s instead of UTF-8', async (_what, value) => {
    const part = 'Content-Disposition: form-data; name="name"\r\n\r\n';
    const body = Buffer.concat([
      Buffer.from(`--x\r\n${part}`),
      value,
      Buffer.from('\r\n--x--\r\n'),
    ]);
    expect(await codeOf(sendRaw(body))).toBe('invalid_multipart');
  });

  test.each(['threshold', 'image_text'])('a text field with a file name: %s', async (field) => {
    const form = new FormData();
    form.append(field, new File(['0.5'], field));
    const message = 'Expected text in a part without a file name; files belong in photo';
    await expect(send(form)).rejects.toMatchObject({
      code: 'invalid_request',
      message: `${field}: ${message}.`,
      errors: [{ path: field, message }],
    });
  });

  test.each(['', '; filename=""'])(
    'a part of a text field with the media type of a file is text%s',
    async (name) => {
      const head = `Content-Disposition: form-data; name="threshold"${name}\r\nContent-Type: application/octet-stream`;
      const body = `--${BOUNDARY}\r\n${head}\r\n\r\n0.5\r\n--${BOUNDARY}--\r\n`;
      expect(Object.fromEntries((await sendRaw(body)).fields)).toEqual({ threshold: ['0.5'] });
    },
  );

  test('text in UTF-8 is kept as given', async () => {
    const form = new FormData();
    form.append('field', '\ufeff Zoë 😀\u200b');
    expect((await send(form)).fields.get('field')).toEqual(['\ufeff Zoë 😀\u200b']);
  });

  test('a body over its limit, announced', async () => {
    const headers = 'Content-Length: 1000001\r\n';
    expect(await codeOf(sendRaw('x', headers))).toBe('body_too_large');
  });

  test('a body over its limit, not announced', async () => {
    const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`;
    const chunk = `f4240\r\n${start.padEnd(1_000_000, 'x')}\r\n`;
    const body = `${chunk}5\r\nxxxxx\r\n`;
    expect(await codeOf(sendRaw(body, 'Transfer-Encoding: chunked\r\n'))).toBe('body_too_large');
  });

  test.each([
    [
      'in a file',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc`,
    ],
    [
      'behind a file',
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc\r\n--${BOUNDARY}`,
    ],
    ['in a field', `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"\r\n\r\nabc`],
    ['in the head of a part', `--${BOUNDARY}\r\nContent-Dispo`],
    ['before the first part', 'nothing here'],
    ['at once', ''],
  ])('a body that ends %s', async (_where, body) => {
    expect(await codeOf(sendRaw(body))).toBe('invalid_multipart');
  });

  test('a part without a name', async () => {
    const part = (disposition: string): string =>
      `--${BOUNDARY}\r\nContent-Disposition: form-data${disposition}\r\n\r\nabc\r\n--${BOUNDARY}--\r\n`;
    expect(await codeOf(sendRaw(part('')))).toBe('invalid_multipart');
  });

  test('a file without a name', async () => {
    const body = `--${BOUNDARY}\r\nContent-Disposition: form-data; filename="a"\r\n\r\nabc\r\n--${BOUNDARY}--\r\n`;
    expect(await codeOf(sendRaw(body))).toBe('invalid_multipart');
  });

  test('a client that disconnects in the middle', async () => {
    const socket = connect(port, '127.0.0.1');
    const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc`;
    socket.write(`${HEAD}Content-Length: 5000\r\n\r\n${start}`, () =>
      setTimeout(() => socket.destroy(), 30),
    );
    await expect(outcome).rejects.toMatchObject({ name: 'ClientDisconnected' });
  });

  test('a client that stops sending', async () => {
    timeoutMs = 100;
    const start = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="f"; filename="a"\r\n\r\nabc`;
    const body = sendRaw(start, 'Content-Length: 5000\r\n');
    expect(await codeOf(body)).toBe('request_timeout');
  });
});

describe('invalid forms', () => {
  test('a form with a content encoding', async () => {
    mode = 'memory';
    const form = sendRaw('x', 'Content-Length: 1\r\nContent-Encoding: gzip\r\n');
    expect(await codeOf(form)).toBe('unsupported_media_type');
  });

  test.each([
    ['application/json', 'unsupported_media_type'],
    ['application/x-www-form-urlencoded', 'unsupported_media_type'],
    ['multipart/mixed; boundary=x', 'unsupported_media_type'],
    ['multipart/form-data', 'invalid_multipart'],
  ])('%s', async (type, code) => {
    mode = 'memory';
    await fetch(`http://127.0.0.1:${port}/`, {
      method: 'POST',
      body: 'x',
      headers: { 'Content-Type': type },
    });
    expect(await codeOf(outcome)).toBe(code);
  });
});

describe('images in base64', () => {
  beforeEach(() => {
    mode = 'memory';
    digests = false;
  });

  test('are decoded while they arrive, and are not among the fields', async () => {
    const form = new FormData();
    form.append('image_text', Buffer.from('a photo').toString('base64'));
    form.append('label', 'Ada');
    const { fields, texts, files } = await send(form);
    expect(Object.fromEntries(fields)).toEqual({ label: ['Ada'] });
    expect(files).toEqual([]);
    expect(Buffer.from(await texts.get('image_text')!.read()).toString()).toBe('a photo');
  });

  test('may be longer than other texts', async () => {
    const form = new FormData();
    form.append('image_text', Buffer.alloc(2000).toString('base64'));
    const { texts } = await send(form);
    expect(texts.get('image_text')).toMatchObject({ size: 2000, tooLarge: true, isValid: true });
  });

  test('with a media type of files are text', async () => {
    const head =
      'Content-Disposition: form-data; name="image_text"\r\nContent-Type: application/octet-stream';
    const { texts } = await sendRaw(`--${BOUNDARY}\r\n${head}\r\n\r\nAAAA\r\n--${BOUNDARY}--\r\n`);
    expect(texts.get('image_text')).toMatchObject({ size: 3, isValid: true });
  });

  test('with the same name are left to the validation', async () => {
    const form = new FormData();
    form.append('image_text', 'AAAA');
    form.append('image_text', 'BBBB');
    const { texts, fields } = await send(form);
    expect([texts.size, fields.get('image_text')]).toEqual([0, ['', '']]);
  });

  test('do not count as files', async () => {
    const form = new FormData();
    for (let i = 0; i < LIMITS.maxFiles; i++) form.append('file', picture(3, i));
    form.append('image_text', 'AAAA');
    const { texts, files } = await send(form);
    expect([texts.size, files.length]).toEqual([1, LIMITS.maxFiles]);
  });
});
