import type { IncomingMessage } from 'node:http';
import { type Duplex, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { createInflate } from './create-inflate.ts';
import { ClientDisconnected, HttpError } from './http-errors.ts';
import { type JsonBody, JsonReceiver, type TextMembers } from './json-receiver.ts';
import { type BodyLimits, pipeBody } from './pipe-body.ts';
import type { LoopTurns } from '../resilience/loop-turns.ts';

/** The maximum size of a document that is parsed at once, in bytes. That takes less than a millisecond. */
const PARSED_AT_ONCE = 32 * 1024;
/** The accepted content codings, with their decoders. */
const DECODERS: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', createGunzip],
  ['deflate', createInflate],
]);
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json$/i;

export interface JsonLimits extends BodyLimits {
  /** The turns in which larger documents are parsed, one after the other. */
  readonly turns: LoopTurns;
}

/**
 * Reads and parses a JSON body in UTF-8, plain or compressed by gzip or deflate. The size limit also applies to the
 * uncompressed body. Images in base64 are decoded while they arrive. The rest of the body may have at most 1 MiB and
 * 10,000 values, because parsing blocks all other requests. Members named `__proto__` are dropped. Text with an unpaired
 * surrogate is refused, because it is invalid Unicode (RFC 7493) that databases cannot store.
 *
 * @param members the members that contain images in base64; values that are not text stay in the parsed body
 * @throws HttpError unsupported_media_type, invalid_json, invalid_request for a body in tiny chunks, body_too_large,
 *   too_many_parts, overloaded, request_timeout; ClientDisconnected
 */
export async function readJsonBody(
  request: IncomingMessage,
  { turns, memory, ...limits }: JsonLimits,
  members: TextMembers,
): Promise<JsonBody> {
  requireJson(request.headers['content-type']);
  const receiver = new JsonReceiver(members, { maxBytes: limits.maxBytes, memory });
  await receiveDecoded(request, limits, receiver);
  if (receiver.parsedBytes <= PARSED_AT_ONCE) return receiver.finish();
  return turns.run(() => {
    if (request.socket.destroyed) throw new ClientDisconnected();
    return receiver.finish();
  });
}

function requireJson(contentType: string | undefined): void {
  const [type = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim());
  if (!JSON_TYPE.test(type)) {
    throw new HttpError(
      'unsupported_media_type',
      'The media type of the body has to be application/json.',
    );
  }
  const charset = parameters.find((parameter) => /^charset=/i.test(parameter));
  if (charset !== undefined && !/^charset="?utf-?8"?$/i.test(charset)) {
    throw new HttpError('unsupported_media_type', 'The charset of a JSON body has to be UTF-8.');
  }
}

async function receiveDecoded(
  request: IncomingMessage,
  limits: BodyLimits,
  receiver: JsonReceiver,
): Promise<void> {
  const encoding = (request.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const sink = sinkOf(receiver);
  if (encoding === 'identity') {
    await pipeBody(request, sink, limits);
    return;
  }
  const createDecoder = DECODERS.get(encoding);
  if (createDecoder === undefined) {
    const codings = [...DECODERS.keys()];
    const detail = `The content encoding of a body has to be ${codings.join(', ')} or none.`;
    const headers = { 'Accept-Encoding': codings.join(', ') };
    throw new HttpError('unsupported_media_type', detail, { headers });
  }
  try {
    await receiveThrough(createDecoder(), { request, limits, sink });
  } catch (error) {
    if (error instanceof HttpError || error instanceof ClientDisconnected) throw error;
    throw new HttpError('invalid_json', `The body is not valid ${encoding}.`, { cause: error });
  }
}

function sinkOf(receiver: JsonReceiver): Writable {
  return new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        receiver.push(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
}

interface Reception {
  readonly request: IncomingMessage;
  readonly limits: BodyLimits;
  readonly sink: Writable;
}

async function receiveThrough(
  decoder: Duplex,
  { request, limits, sink }: Reception,
): Promise<void> {
  sink.on('error', (error) => decoder.destroy(error));
  decoder.pipe(sink);
  try {
    await Promise.all([pipeBody(request, decoder, limits), finished(decoder), finished(sink)]);
  } finally {
    decoder.destroy();
    sink.destroy();
  }
}
