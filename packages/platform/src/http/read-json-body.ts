import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { tooManyBodies } from './body-memory.ts';
import { ClientDisconnected, HttpError } from './http-errors.ts';
import { type BodyLimits, pipeBody } from './pipe-body.ts';

const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;
const PROTO = /__proto__|\\u005f/i;
const SURROGATE = /\\ud[89a-f]/i;

/**
 * Reads and parses a JSON body in UTF-8, plain or gzipped; the limit on bytes also applies to the
 * decoded text. Keys named `__proto__` are dropped; text with an unpaired surrogate is refused, because
 * it is no Unicode (RFC 7493) and no store keeps it.
 *
 * @throws HttpError unsupported_media_type, invalid_json, body_too_large, overloaded,
 *   request_timeout; ClientDisconnected.
 */
export async function readJsonBody(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  requireJson(request.headers['content-type']);
  const bytes = await readDecoded(request, limits);
  if (bytes.length === 0) throw new HttpError('invalid_json', 'The body is empty.');
  return parseJson(decodeUtf8(bytes));
}

function requireJson(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  if (!JSON_TYPE.test(type)) {
    throw new HttpError('unsupported_media_type', 'The body has to be application/json.');
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)) {
    throw new HttpError('unsupported_media_type', 'JSON has to be in UTF-8.');
  }
}

async function readDecoded(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return readPlain(request, limits);
  if (encoding === 'gzip') return readGzipped(request, limits);
  const detail = 'The content encoding of a body has to be gzip or none.';
  throw new HttpError('unsupported_media_type', detail, { headers: { 'Accept-Encoding': 'gzip' } });
}

async function readPlain(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeBody(request, sink, limits);
  return Buffer.concat(chunks);
}

async function readGzipped(request: IncomingMessage, limits: BodyLimits): Promise<Buffer> {
  const gunzip = createGunzip();
  const chunks: Buffer[] = [];
  let size = 0;
  gunzip.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limits.maxBytes) gunzip.destroy(decodedTooLarge(limits.maxBytes));
    else if (limits.memory?.add(chunk.length) === false) gunzip.destroy(tooManyBodies());
    else chunks.push(chunk);
  });
  try {
    await Promise.all([pipeBody(request, gunzip, limits), finished(gunzip)]);
  } catch (error) {
    if (error instanceof HttpError || error instanceof ClientDisconnected) throw error;
    throw new HttpError('invalid_json', 'The body is not valid gzip.', { cause: error });
  } finally {
    gunzip.destroy();
  }
  return Buffer.concat(chunks);
}

function decodedTooLarge(maxBytes: number): HttpError {
  return new HttpError('body_too_large', `The decoded body is larger than ${maxBytes} bytes.`);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new HttpError('invalid_json', 'The body is not valid UTF-8.', { cause });
  }
}

function parseJson(text: string): unknown {
  try {
    // A reviver visits every value, so it only runs where there can be something for it.
    const needsReview = PROTO.test(text) || SURROGATE.test(text);
    return needsReview ? JSON.parse(text, review) : JSON.parse(text);
  } catch (cause) {
    throw new HttpError('invalid_json', 'The body is not valid JSON.', { cause });
  }
}

/** @throws SyntaxError for text with an unpaired surrogate */
function review(key: string, value: unknown): unknown {
  if (!key.isWellFormed() || (typeof value === 'string' && !value.isWellFormed())) {
    throw new SyntaxError('unpaired surrogate');
  }
  return key === '__proto__' ? undefined : value;
}
