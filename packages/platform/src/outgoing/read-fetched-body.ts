import { type Duplex, PassThrough, Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip } from 'node:zlib';
import type { Dispatcher } from 'undici';
import { createInflate } from '../http/create-inflate.ts';
import { isFragmented } from '../http/fragmented-body.ts';
import { KeptBytes } from '../http/kept-bytes.ts';
import { contentCodings } from './content-codings.ts';
import { FetchFailed, FetchTooLarge, isOutgoingError, NotTaken } from './outgoing-errors.ts';

interface ReadOptions {
  /** The maximum size of the body, in bytes, as it is sent and as it is decoded. */
  readonly maxBytes: number;
  /** Called with the number of decoded bytes as they arrive. An error ends the reading. */
  readonly take?: ((bytes: number) => void) | undefined;
  readonly signal: AbortSignal;
}

/**
 * Reads the body of a response and decodes its content codings into a new buffer.
 *
 * @throws FetchFailed, FetchTooLarge; NotTaken with an error of `take`; the signal's reason on abort
 */
export async function readFetchedBody(
  { headers, body }: Dispatcher.ResponseData,
  { maxBytes, take, signal }: ReadOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  if (Number(headers['content-length']) > maxBytes) {
    discard(body);
    throw new FetchTooLarge(maxBytes);
  }
  const decode = decoderOf(contentCodings(headers['content-encoding']));
  if (decode === undefined) {
    discard(body);
    throw new FetchFailed('broken_body', "The target's response has an unknown content encoding.");
  }
  // A sent body that decodes to little or nothing could otherwise go on until the timeout.
  let sent = 0;
  let pieces = 0;
  const count = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      pieces += 1;
      if (sent > maxBytes) done(new FetchTooLarge(maxBytes));
      else if (isFragmented(pieces, sent)) done(tooFragmented());
      else done(null, chunk);
    },
  });
  const kept = new KeptBytes();
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      try {
        take?.(chunk.length);
      } catch (error) {
        done(new NotTaken(error));
        return;
      }
      kept.push(chunk);
      done(kept.size <= maxBytes ? null : new FetchTooLarge(maxBytes));
    },
  });
  try {
    await pipeline([body, count, decode, collect], { signal });
  } catch (error) {
    if (isOutgoingError(error) || signal.aborted) throw error;
    throw new FetchFailed('broken_body', "The target's response is damaged or incomplete.", {
      cause: error,
    });
  }
  return kept.take();
}

function decoderOf(codings: readonly string[]): Duplex | undefined {
  switch (codings.join(', ')) {
    case '':
      return new PassThrough();
    case 'gzip':
    case 'x-gzip':
      return createGunzip();
    case 'deflate':
      return createInflate();
    case 'br':
      return createBrotliDecompress();
    default:
      return undefined;
  }
}

function tooFragmented(): FetchFailed {
  return new FetchFailed('broken_body', "The target's response comes in too many tiny chunks.");
}

/** Closes the connection instead of reading the rest of the body. */
export function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy();
}
