import type { IncomingMessage } from 'node:http';

/** Whether the headers of a request announce a body (RFC 9112, 6). */
export function announcesBody(request: IncomingMessage): boolean {
  return isChunked(request) || Number(request.headers['content-length'] ?? '0') > 0;
}

/** Whether the body of a request arrives in chunks (RFC 9112, 7.1), the last transfer coding that Node's parser accepts. */
export function isChunked({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined;
}
