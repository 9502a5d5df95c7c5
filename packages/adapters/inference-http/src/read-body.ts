import { MalformedMessage } from '@sightline/engine/wire/wire-errors';

/** Of an answer: JPEGs of the image and of everything in it. */
const MAX_BYTES = 512 * 1024 * 1024;

/**
 * Reads a body whose length is known into one buffer.
 *
 * @throws MalformedMessage if the length is missing, too large or wrong; what the stream throws
 */
export async function readBody(
  contentLength: string | readonly string[] | undefined,
  body: AsyncIterable<Uint8Array>,
): Promise<Uint8Array> {
  const length = Number(contentLength);
  if (!Number.isSafeInteger(length) || length < 0 || length > MAX_BYTES) {
    throw new MalformedMessage('The answer does not say its length, or too large a one.');
  }
  const bytes = new Uint8Array(length);
  let received = 0;
  for await (const chunk of body) {
    if (received + chunk.length > length) break;
    bytes.set(chunk, received);
    received += chunk.length;
  }
  if (received !== length) throw new MalformedMessage('The answer is cut off.');
  return bytes;
}
