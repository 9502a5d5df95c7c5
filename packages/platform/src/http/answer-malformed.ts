import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { DrainLimits } from './drain-limits.ts';
import { HttpError } from './http-errors.ts';
import { lingeringClose } from './lingering-close.ts';
import { httpProblem, problemDocument } from './problem.ts';
import type { Turns } from './serve-in-turn.ts';

const BY_PARSER_CODE: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('headers_too_large', 'The head of the request is too large.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpError('body_too_large', 'The body is too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('request_timeout', 'The request did not arrive in time.'),
};
/** The error for bytes after a request with `Connection: close` that is not answered yet. */
const AFTER_THE_LAST = 'HPE_CLOSED_CONNECTION';
const MALFORMED = new HttpError('invalid_request', 'The request is not well-formed HTTP.');

interface Options {
  readonly turns: Turns;
  /** Limits for bytes that a client sends after its refusal. */
  readonly drain: DrainLimits;
}

/**
 * Answers requests that the HTTP parser refuses in the same way as every other error: with a problem and a request
 * id, which Node's own response lacks.
 */
export function answerMalformed(server: Server, { turns, drain }: Options): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    if (error.code === AFTER_THE_LAST) return;
    const begun = turns.answerOn(socket);
    if (socket.writable && begun?.headersSent !== true) socket.write(refusal(error, begun));
    lingeringClose(socket, drain);
  });
}

function refusal({ code = '' }: NodeJS.ErrnoException, begun: ServerResponse | undefined): string {
  const problem = httpProblem(BY_PARSER_CODE[code] ?? MALFORMED)!;
  const given = begun?.getHeader('X-Request-Id');
  const requestId = typeof given === 'string' ? given : randomUUID();
  const body = JSON.stringify(problemDocument(problem, requestId));
  return [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status] ?? ''}`,
    `X-Request-Id: ${requestId}`,
    'Content-Type: application/problem+json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    '',
    body,
  ].join('\r\n');
}
