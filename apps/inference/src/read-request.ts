import type { IncomingMessage } from 'node:http';
import { Writable } from 'node:stream';
import type { AnalysisRequest } from '@sightline/core/analysis/image-analyzer';
import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import { MAX_HEAD_BYTES, PREAMBLE_BYTES, WIRE_TYPE } from '@sightline/engine/wire/preamble';
import { RequestReader } from '@sightline/engine/wire/request-message';
import type { BodyShare } from '@sightline/platform/http/body-memory';
import { HttpError } from '@sightline/platform/http/http-errors';
import { pipeBody } from '@sightline/platform/http/pipe-body';

/** Limit in ms from the head of a request to the last byte of its image. */
const BODY_TIMEOUT_MS = 30_000;

export interface RequestLimits {
  /** Size limit of the image, in bytes. */
  readonly maxBytes: number;
  /** The supported wire versions; by default those of this release. */
  readonly spoken?: readonly number[];
  /** The share of the memory limit that the message uses until its response is sent. */
  readonly memory: BodyShare;
}

/**
 * Reads a request of the wire format. Refuses a too large request before reading it. Only received bytes count against
 * the memory limit, so a client that announces a large body without sending it blocks no other client.
 *
 * @throws ImageTooLarge; HttpError unsupported_media_type, invalid_request, overloaded,
 *   request_timeout; MalformedMessage, WireVersionMismatch; ClientDisconnected
 */
export async function readRequest(
  request: IncomingMessage,
  { maxBytes, memory, spoken }: RequestLimits,
): Promise<{ readonly analysisRequest: AnalysisRequest; readonly version: number }> {
  if (request.headers['content-type'] !== WIRE_TYPE) {
    throw new HttpError('unsupported_media_type', `The body must be ${WIRE_TYPE}.`);
  }
  const length = contentLength(request);
  // The size of the image is not known yet, but in a longer message it exceeds the limit in any case.
  const longest = PREAMBLE_BYTES + MAX_HEAD_BYTES + maxBytes;
  if (length > longest) {
    throw new ImageTooLarge(`The image has more than ${maxBytes} bytes.`, { max_bytes: maxBytes });
  }
  const reader = new RequestReader(length, spoken);
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        reader.push(chunk);
        done();
      } catch (error) {
        done(error as Error);
      }
    },
  });
  await pipeBody(request, sink, { maxBytes: longest, timeoutMs: BODY_TIMEOUT_MS, memory });
  return { analysisRequest: reader.finish(), version: reader.version };
}

function contentLength({ headers }: IncomingMessage): number {
  const length = Number(headers['content-length']);
  if (Number.isSafeInteger(length)) return length;
  throw new HttpError('invalid_request', 'The request must have a Content-Length.');
}
