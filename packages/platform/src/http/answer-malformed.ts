import { randomUUID } from 'node:crypto';
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { HttpError } from './http-errors.ts';
import { httpProblem, problemDocument } from './problem.ts';

const BY_PARSER_CODE: Readonly<Record<string, HttpError>> = {
  HPE_HEADER_OVERFLOW: new HttpError('headers_too_large', 'The head of the request is too large.'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: new HttpError('body_too_large', 'The body is too large.'),
  ERR_HTTP_REQUEST_TIMEOUT: new HttpError('request_timeout', 'The request did not arrive in time.'),
};
const MALFORMED = new HttpError('invalid_request', 'The request is not well-formed HTTP.');

/**
 * Answers requests that the HTTP parser refuses like every other error: with a problem and a request
 * id, which Node's own response lacks.
 */
export function answerMalformed(server: Server): void {
  const answers = new WeakMap<Socket, ServerResponse>();
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => {
    const begun = answers.get(socket);
    const isAnswered = begun?.headersSent === true && !begun.writableFinished;
    if (socket.writable && !isAnswered) socket.write(refusal(error, begun));
    socket.destroySoon();
  });
}

function refusal({ code = '' }: NodeJS.ErrnoException, begun: ServerResponse | undefined): string {
  const problem = httpProblem(BY_PARSER_CODE[code] ?? MALFORMED)!;
  const given = begun?.writableFinished === false ? begun.getHeader('X-Request-Id') : undefined;
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
