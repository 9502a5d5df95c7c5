import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { type BodyShare, tooManyAnswers } from '@sightline/platform/http/body-memory';
import type { Request, Response } from 'express';
import type { Answer, Route } from './define-route.ts';
import { ItemStream } from './item-stream.ts';
import { SerializedDocument } from '../context/serialized-document.ts';

export interface Exchange {
  readonly request: Request;
  readonly response: Response;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

interface Sending {
  readonly route: Route;
  /** The memory of the request, in which large answers count until the client has received them. */
  readonly memory: BodyShare;
}

/** The length of a serialized answer, in characters, from which it counts in the memory of the request. */
const LARGE_ANSWER = 256 * 1024;

/**
 * Sends an answer. A stream is read only as fast as the client reads, so that little of it is in memory.
 *
 * @throws HttpError if there is no memory for a large answer that a retry would get, too
 */
export async function sendAnswer(
  exchange: Exchange,
  { route, memory }: Sending,
  answer: Answer,
): Promise<void> {
  const { response } = exchange;
  const { status, body, headers = {} } = answer;
  const contract = route.contract.responses[status]!;
  const isFile = contract.file !== undefined && body instanceof ReadableStream;
  const { mediaType } = isFile ? contract.file : contract;
  if (mediaType === null) {
    response.status(status).set(headers).end();
    return;
  }
  if (!isStream(body)) {
    await sendWhole(exchange, memory, { ...answer, mediaType });
    return;
  }
  response.status(status).set(headers).type(mediaType);
  await sendStream(exchange, body).catch((error: unknown) => {
    // If nothing has been sent yet, the error handler answers. Headers such as the length would be wrong for its answer.
    if (!response.headersSent) Object.keys(headers).forEach((name) => response.removeHeader(name));
    throw error;
  });
}

async function sendWhole(
  { request, response }: Exchange,
  memory: BodyShare,
  { status, body, headers = {}, mediaType }: Answer & { readonly mediaType: string },
): Promise<void> {
  const whole = serialized(mediaType, body);
  const size = sizeOf(whole);
  // Without memory the error handler answers, without the headers of this answer.
  if (size > 0 && !memory.add(size) && isRepeatable(request)) throw tooManyAnswers();
  response.status(status).set(headers).type(mediaType).send(whole);
  if (size > 0) await finished(response).catch(() => undefined);
}

/** The length of a large answer, which counts as memory; 0 for a small one, and for one that all requests share. */
function sizeOf(sent: unknown): number {
  return typeof sent === 'string' && sent.length >= LARGE_ANSWER ? sent.length : 0;
}

/** Whether a request that is sent again has no further effect, and gets the same answer. */
function isRepeatable({ method, headers }: Request): boolean {
  return method === 'GET' || method === 'HEAD' || headers['idempotency-key'] !== undefined;
}

function serialized(mediaType: string, body: unknown): unknown {
  if (body instanceof SerializedDocument) return body.bytes;
  return mediaType === 'application/json' ? JSON.stringify(body) : body;
}

type Stream = ReadableStream<Uint8Array> | ItemStream<unknown>;

function isStream(body: unknown): body is Stream {
  return body instanceof ReadableStream || body instanceof ItemStream;
}

/** Replaces Node's `pipeline`, which destroys the response if the stream fails, so that no error handler could answer. */
async function sendStream({ request, response, signal }: Exchange, stream: Stream): Promise<void> {
  if (request.method === 'HEAD') {
    if (stream instanceof ReadableStream) await stream.cancel();
  } else {
    for await (const chunk of stream instanceof ItemStream ? stream.json() : stream) {
      signal.throwIfAborted();
      if (!response.write(chunk)) await once(response, 'drain', { signal });
    }
  }
  response.end();
}
