import { once } from 'node:events';
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

/** Sends an answer. A stream is read only as fast as the client reads, so that little of it is in memory. */
export async function sendAnswer(
  exchange: Exchange,
  route: Route,
  { status, body, headers = {} }: Answer,
): Promise<void> {
  const { response } = exchange;
  const contract = route.contract.responses[status]!;
  const isFile = contract.file !== undefined && body instanceof ReadableStream;
  const { mediaType } = isFile ? contract.file : contract;
  response.status(status).set(headers);
  if (mediaType !== null) response.type(mediaType);
  if (mediaType === null) response.end();
  else if (body instanceof ReadableStream || body instanceof ItemStream) {
    await sendStream(exchange, body as Stream).catch((error: unknown) => {
      // If nothing has been sent yet, the error handler answers. Headers such as the length would be wrong for its answer.
      if (!response.headersSent)
        Object.keys(headers).forEach((name) => response.removeHeader(name));
      throw error;
    });
  } else {
    response.send(serialized(mediaType, body));
  }
}

function serialized(mediaType: string, body: unknown): unknown {
  if (body instanceof SerializedDocument) return body.bytes;
  return mediaType === 'application/json' ? JSON.stringify(body) : body;
}

type Stream = ReadableStream<Uint8Array> | ItemStream<unknown>;

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
