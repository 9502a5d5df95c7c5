import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { DrainLimits } from './drain-limits.ts';
import { HttpError } from './http-errors.ts';
import { lingeringClose } from './lingering-close.ts';
import { httpProblem, problemDocument } from './problem.ts';
import type { Turns } from './serve-in-turn.ts';
import { METHODS, USUAL_HEADERS } from './usual-headers.ts';

const BY_PARSER_CODE: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError(
    'headers_too_large',
    'The request line and the headers are too large.',
  ),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpError('body_too_large', 'The body is too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('request_timeout', 'The request did not arrive in time.'),
};
/**
 * The parser's error for bytes that follow a request with `Connection: close`, while the response is still pending.
 */
const AFTER_THE_LAST = 'HPE_CLOSED_CONNECTION';
const MALFORMED = new HttpError('invalid_request', 'The request is not well-formed HTTP.');

const NO_TUNNELS = new HttpError('method_not_allowed', 'CONNECT is not a method of this service.', {
  headers: { Allow: `${METHODS}, OPTIONS` },
});

interface Options {
  readonly turns: Turns;
  /** Limits for bytes that a client sends after its request was refused. */
  readonly drain: DrainLimits;
}

/**
 * Responds to requests that the HTTP parser rejects, and to CONNECT, for which Node has no response. The response is a
 * problem document with the usual headers, as for any other error, because Node's own response would contain neither.
 * Requests that were completely received before get their responses first.
 */
export function answerMalformed(server: Server, { turns, drain }: Options): void {
  const refuse = (socket: Socket, error: HttpError): void =>
    turns.end(socket, () => {
      const pending = turns.answerOn(socket);
      if (socket.writable && pending?.headersSent !== true) socket.write(refusal(error, pending));
      lingeringClose(socket, drain);
    });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code !== AFTER_THE_LAST)
      refuse(socket, BY_PARSER_CODE[error.code ?? ''] ?? MALFORMED);
  });
  server.on('connect', ({ socket }) => {
    // Node has removed its own listeners from the socket. An earlier response still needs to know when it may go on.
    socket.on('error', () => undefined);
    socket.on('drain', () => turns.answerOn(socket)?.emit('drain'));
    refuse(socket, NO_TUNNELS);
  });
}

function refusal(error: HttpError, pending: ServerResponse | undefined): string {
  const problem = httpProblem(error)!;
  const given = pending?.getHeader('X-Request-Id');
  const requestId = typeof given === 'string' ? given : randomUUID();
  const body = JSON.stringify(problemDocument(problem, requestId));
  const headers = {
    ...USUAL_HEADERS,
    ...problem.headers,
    'X-Request-Id': requestId,
    'Content-Type': 'application/problem+json',
    'Content-Length': Buffer.byteLength(body),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '',
    body,
  ].join('\r\n');
}
