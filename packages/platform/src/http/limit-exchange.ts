import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcesBody } from './announces-body.ts';
import { type DrainLimits, limitDrain } from './drain-limits.ts';

export interface ExchangeLimits {
  /** How long a client may take no byte of its answer, in ms. */
  readonly answerSilenceMs: number;
  /** How long a handler may leave a body unread that does not come whole, in ms. */
  readonly unreadBodyMs: number;
  /** For what is left of a body when its answer is sent. */
  readonly drain: DrainLimits;
}

/**
 * Closes the connection of a client that does not read its answer, or does not send the body that it
 * has announced; a body that is read has the limits of its reader. What feeds the answer learns of it
 * by the `close` of the response.
 *
 * A long write makes progress as its rest in this process shrinks, so that a slow client gets all of
 * its answer. One that stops reading is noticed after one to two times the limit.
 */
export function limitExchange(
  request: IncomingMessage,
  response: ServerResponse,
  limits: ExchangeLimits,
): void {
  const { socket } = request;
  response.setTimeout(limits.answerSilenceMs, () => {
    // Else the handler takes its time.
    if (socket.writableLength > 0) socket.destroy();
  });
  if (announcesBody(request)) limitBody(request, response, limits);
}

function limitBody(
  request: IncomingMessage,
  response: ServerResponse,
  { unreadBodyMs, drain }: ExchangeLimits,
): void {
  const { socket } = request;
  const timer = setTimeout(() => {
    if (!request.complete && request.readableFlowing === null) socket.destroy();
  }, unreadBodyMs).unref();
  response.once('close', () => clearTimeout(timer));
  response.once('finish', () => {
    if (request.complete) return;
    request.once('end', limitDrain(socket, drain)).resume();
  });
}
