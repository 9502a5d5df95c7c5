import type { IncomingMessage } from 'node:http';

/** Whether the headers of a request announce a body (RFC 9112, 6). */
export function announcesBody({ headers }: IncomingMessage): boolean {
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = headers;
  return encoding !== undefined || Number(length) > 0;
}
