import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { type BodyShare, tooManyBodies } from './body-memory.ts';
import { BODY_PACE, BodyPace, type PaceLimits } from './body-pace.ts';
import { FREE_PIECES, isFragmented, LEAST_PIECE_BYTES } from './fragmented-body.ts';
import { ClientDisconnected, HttpError } from './http-errors.ts';

export interface BodyLimits {
  /** The maximum size of the body in bytes, before content decoding. */
  readonly maxBytes: number;
  /** The timeout for the whole body, in ms. */
  readonly timeoutMs: number;
  /** The minimum pace of the client. Default: `BODY_PACE`. */
  readonly pace?: PaceLimits;
  /** The reservation of memory for a body that is kept in memory. */
  readonly memory?: BodyShare;
}

/**
 * Writes the body of a request to a stream and ends the stream. Unlike Node's `pipeline`, this function leaves the
 * connection open after a failure, so that an error response can be sent. Bodies in many tiny chunks are refused,
 * because the parser needs as much time for a chunk of one byte as for one of many kilobytes.
 *
 * @throws HttpError body_too_large, invalid_request, overloaded, request_timeout; ClientDisconnected; the error of the
 *   sink
 */
export function pipeBody(
  request: IncomingMessage,
  sink: Writable,
  limits: BodyLimits,
): Promise<void> {
  if (Number(request.headers['content-length']) > limits.maxBytes) {
    return Promise.reject(bodyTooLarge(limits.maxBytes));
  }
  return new Promise((resolve, reject) => {
    let received = 0;
    let pieces = 0;
    const settle = (error?: Error): void => {
      clearTimeout(deadline);
      pace[Symbol.dispose]();
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      sink.off('drain', resume).off('finish', onFinish).off('error', settle);
      // A destroyed sink may still emit an error, which would end the process if no listener handled it.
      sink.on('error', ignore);
      request.pause();
      if (error === undefined) resolve();
      else reject(error);
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      pieces += 1;
      pace.received(chunk.length);
      if (received > limits.maxBytes) settle(bodyTooLarge(limits.maxBytes));
      else if (isFragmented(pieces, received)) settle(tooFragmented());
      else if (limits.memory?.add(chunk.length) === false) settle(tooManyBodies());
      else if (!sink.write(chunk)) pause();
    };
    const pause = (): void => {
      pace.pause();
      request.pause();
    };
    const resume = (): void => {
      pace.wait();
      request.resume();
    };
    const onEnd = (): void => {
      pace.pause();
      sink.end();
    };
    const onFinish = (): void => settle();
    const onClose = (): void => {
      if (!request.readableEnded) settle(new ClientDisconnected());
    };
    const onTimeout = (): void => settle(tooLong(limits.timeoutMs));
    const deadline = setTimeout(onTimeout, limits.timeoutMs);
    const pace = new BodyPace(limits.pace ?? BODY_PACE, () => settle(tooSlow()));
    sink.on('drain', resume).on('finish', onFinish).on('error', settle);
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    if (request.destroyed) onClose();
    else resume();
  });
}

function ignore(): void {
  // Intentionally empty.
}

function tooFragmented(): HttpError {
  return new HttpError(
    'invalid_request',
    `The body has more than ${FREE_PIECES} chunks with fewer than ${LEAST_PIECE_BYTES} bytes on average: send larger chunks.`,
  );
}

function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

function tooSlow(): HttpError {
  return new HttpError('request_timeout', 'The body arrived too slowly.');
}

function tooLong(timeoutMs: number): HttpError {
  const seconds = Math.round(timeoutMs / 1000);
  return new HttpError('request_timeout', `The body did not arrive within ${seconds} seconds.`);
}
