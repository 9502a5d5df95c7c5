import type { IncomingMessage, ServerResponse } from 'node:http';
import { announcesBody } from './announces-body.ts';

/**
 * Answers `Expect: 100-continue` when a handler begins to read the body (RFC 9110, 10.1.1). Until then the client waits,
 * and does not send the body of a request that is refused by its headers. After such a refusal Node closes the
 * connection, because the client may or may not send the announced body.
 */
export function continueWhenRead(request: IncomingMessage, response: ServerResponse): void {
  if (!announcesBody(request)) {
    // Without it, Node would close the connection after the response.
    response.writeContinue();
    return;
  }
  request.once('resume', () => {
    // The rest of a body that no handler reads is dropped after the response.
    if (!response.headersSent) response.writeContinue();
  });
}
