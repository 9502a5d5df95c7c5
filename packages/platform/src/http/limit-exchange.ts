import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcesBody, isChunked } from './announces-body.ts';
import { type DrainLimits, limitDrain } from './drain-limits.ts';

export interface ExchangeLimits {
  /** The maximum time in which a client reads no byte of its response, in ms. */
  readonly answerSilenceMs: number;
  /** The maximum time until a handler begins to read an incomplete body, in ms. */
  readonly unreadBodyMs: number;
  /** The limits for the rest of a body that arrives after the response was sent. */
  readonly drain: DrainLimits;
}

/**
 * Closes the connection of a client that does not read its response or does not send the announced body. The limits do
 * not apply to a body while a handler reads it, because the reader has its own limits. The handler notices the closed
 * connection by the `close` event of the response.
 *
 * A client that reads slowly gets its whole response, because each byte that leaves this process restarts the
 * timeout. A client that stops reading is disconnected after one to two times the limit.
 */
export function limitExchange(
  request: IncomingMessage,
  response: ServerResponse,
  limits: ExchangeLimits,
): void {
  const { socket } = request;
  response.setTimeout(limits.answerSilenceMs, () => {
    // Unsent bytes mean that the client reads too slowly, so its connection is closed. Without unsent bytes, the
    // handler is slow, and the connection stays open.
    if (socket.writableLength > 0) socket.destroy();
  });
  if (announcesBody(request)) limitBody(request, response, limits);
  if (isChunked(request)) closeIfUnread(request, response);
}

/**
 * Adds `Connection: close` to a response before the end of a chunked body, because the rest of the body is dropped
 * unparsed, so that the connection cannot be used again.
 */
function closeIfUnread(request: IncomingMessage, response: ServerResponse): void {
  const writeHead = response.writeHead.bind(response) as (...head: unknown[]) => ServerResponse;
  response.writeHead = (...head: unknown[]) => {
    if (!request.complete) response.setHeader('Connection', 'close');
    return writeHead(...head);
  };
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
    // Parsing the rest of a body in tiny chunks takes far longer than dropping it.
    if (isChunked(request)) socket.destroySoon();
    else request.once('end', limitDrain(socket, drain)).resume();
  });
}
