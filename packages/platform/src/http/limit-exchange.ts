import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcesBody } from './announces-body.ts';
import { type DrainLimits, limitDrain } from './drain-limits.ts';

export interface ExchangeLimits {
  /** How long a client may take no byte of its answer, in ms. */
  readonly answerSilenceMs: number;
  /** How long a handler may take to begin reading a body that has not arrived completely, in ms. */
  readonly unreadBodyMs: number;
  /** The limits for the rest of a body after its answer was sent. */
  readonly drain: DrainLimits;
}

/**
 * Closes the connection of a client that does not read its answer, or does not send the body that it has announced. A
 * body that a handler reads has the limits of that reader. The source of the answer notices by the `close` event of
 * the response.
 *
 * A long write makes progress while the part of it in this process shrinks, so a slow client gets all of its answer.
 * A client that stops reading is noticed after one to two times the limit.
 */
export function limitExchange(
  request: IncomingMessage,
  response: ServerResponse,
  limits: ExchangeLimits,
): void {
  const { socket } = request;
  response.setTimeout(limits.answerSilenceMs, () => {
    // Without unsent bytes the handler is slow, not the client.
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
