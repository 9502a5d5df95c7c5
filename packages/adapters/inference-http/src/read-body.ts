import type { Readable } from 'node:stream';
import { MalformedMessage } from '@sightline/engine/wire/wire-errors';

/**
 * Reads a body whose length is known into one buffer; one that is refused is given up with its
 * connection.
 *
 * @throws MalformedMessage if the length is missing, over the limit or wrong; what the stream throws
 */
export async function readBody(
  contentLength: string | readonly string[] | undefined,
  body: Readable,
  maxBytes: number,
): Promise<Uint8Array> {
  const length = Number(contentLength);
  if (!Number.isSafeInteger(length) || length < 0 || length > maxBytes) {
    // Nobody else would read it, and a connection whose answer is not read is never free again.
    body.on('error', () => undefined).destroy();
    throw new MalformedMessage('The answer does not say its length, or too large a one.');
  }
  const bytes = new Uint8Array(length);
  let received = 0;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    if (received + chunk.length > length) throw new MalformedMessage('The answer is too long.');
    bytes.set(chunk, received);
    received += chunk.length;
  }
  if (received !== length) throw new MalformedMessage('The answer is cut off.');
  return bytes;
}
