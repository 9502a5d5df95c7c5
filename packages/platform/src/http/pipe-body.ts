import type { IncomingMessage } from 'node:http';
import type { Writable } from 'node:stream';
import { type BodyShare, tooManyBodies } from './body-memory.ts';
import { BODY_PACE, BodyPace, type PaceLimits } from './body-pace.ts';
import { ClientDisconnected, HttpError } from './http-errors.ts';

export interface BodyLimits {
  /** Bytes of the body as sent, before decoding. */
  readonly maxBytes: number;
  /** From now to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  /** How slowly the client may send; `BODY_PACE` if absent. */
  readonly pace?: PaceLimits;
  /** The body's share of the memory for all bodies, if it is kept in memory. */
  readonly memory?: BodyShare;
}

/**
 * Writes the body of a request into a stream and ends the stream. Unlike `pipeline`, a failure leaves
 * the connection open, so that the error response can still be sent.
 *
 * @throws HttpError body_too_large, overloaded, request_timeout; ClientDisconnected; the error of
 *   the sink.
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
    const settle = (error?: Error): void => {
      clearTimeout(deadline);
      pace[Symbol.dispose]();
      request.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose);
      sink.off('drain', resume).off('finish', onFinish).off('error', settle);
      // A destroyed sink may still emit an error.
      sink.on('error', ignore);
      request.pause();
      if (error === undefined) resolve();
      else reject(error);
    };
    const onData = (chunk: Buffer): void => {
      received += chunk.length;
      pace.received(chunk.length);
      if (received > limits.maxBytes) settle(bodyTooLarge(limits.maxBytes));
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
  // On purpose.
}

function bodyTooLarge(maxBytes: number): HttpError {
  return new HttpError('body_too_large', `The body is larger than ${maxBytes} bytes.`);
}

function tooSlow(): HttpError {
  return new HttpError('request_timeout', 'The body arrives too slowly.');
}

function tooLong(timeoutMs: number): HttpError {
  const seconds = Math.round(timeoutMs / 1000);
  return new HttpError('request_timeout', `The body did not arrive within ${seconds} seconds.`);
}
