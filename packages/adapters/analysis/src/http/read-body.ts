import type { Readable } from 'node:stream';
import { MalformedMessage } from '@sightline/engine/wire/wire-errors';

/**
 * Reads a body of known length into one buffer. If the length is not acceptable, the connection is closed.
 *
 * @throws MalformedMessage if the length is missing, over the limit or wrong; errors of the stream
 */
export async function readBody(
  contentLength: string | readonly string[] | undefined,
  body: Readable,
  maxBytes: number,
): Promise<Uint8Array> {
  const length = Number(contentLength);
  if (!Number.isSafeInteger(length) || length < 0 || length > maxBytes) {
    // The connection cannot be used again without reading the response, so it is closed.
    body.on('error', () => undefined).destroy();
    throw new MalformedMessage(
      'The response has no Content-Length, or a Content-Length above the limit.',
    );
  }
  const bytes = new Uint8Array(length);
  let received = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (received + chunk.length > length)
      throw new MalformedMessage('The response is longer than its Content-Length.');
    bytes.set(chunk, received);
    received += chunk.length;
  }
  if (received !== length) throw new MalformedMessage('The response is truncated.');
  return bytes;
}
