import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import { MalformedMessage } from '@sightline/engine/wire/wire-errors';
import { HttpError } from '@sightline/platform/http/http-errors';
import { pipeBody } from '@sightline/platform/http/pipe-body';
import { parseDesiredModels } from './parse-desired-models.ts';

/** Timeout in ms; enough because the body fits into one packet. */
const BODY_TIMEOUT_MS = 5_000;
/** Size limit in bytes; enough because a controller names at most four models. */
export const MAX_DESIRED_BYTES = 4_096;
const JSON_TYPE = 'application/json';

/**
 * Reads the desired models of a request.
 *
 * @throws HttpError unsupported_media_type, body_too_large, request_timeout; MalformedMessage;
 *   ClientDisconnected
 */
export async function readDesiredModels(request: IncomingMessage): Promise<DesiredModels> {
  if (request.headers['content-type'] !== JSON_TYPE) {
    throw new HttpError('unsupported_media_type', `The body must be ${JSON_TYPE}.`);
  }
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk);
      done();
    },
  });
  await pipeBody(request, sink, { maxBytes: MAX_DESIRED_BYTES, timeoutMs: BODY_TIMEOUT_MS });
  try {
    return parseDesiredModels(Buffer.concat(chunks).toString());
  } catch (error) {
    throw new MalformedMessage((error as Error).message);
  }
}
