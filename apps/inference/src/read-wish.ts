import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import type { HostWish } from '@sightline/core/models/model-hosts';
import { decodeWish, MAX_WISH_BYTES, WISH_TYPE } from '@sightline/engine/wire/wish-message';
import { HttpError } from '@sightline/platform/http/http-errors';
import { pipeBody } from '@sightline/platform/http/pipe-body';

/** For a body that fits into one packet, in ms. */
const BODY_TIMEOUT_MS = 5_000;

/**
 * Reads which models the process is to hold.
 *
 * @throws HttpError unsupported_media_type, body_too_large, request_timeout; MalformedMessage;
 *   ClientDisconnected
 */
export async function readWish(request: IncomingMessage): Promise<HostWish> {
  if (request.headers['content-type'] !== WISH_TYPE) {
    throw new HttpError('unsupported_media_type', `The body must be ${WISH_TYPE}.`);
  }
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeBody(request, sink, { maxBytes: MAX_WISH_BYTES, timeoutMs: BODY_TIMEOUT_MS });
  return decodeWish(Buffer.concat(chunks));
}
