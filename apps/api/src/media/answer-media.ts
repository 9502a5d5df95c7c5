import { boundsOf } from '@sightline/core/media/byte-range';
import { digestOfMediaKey } from '@sightline/core/media/media-key';
import type { MediaObject } from '@sightline/core/media/media-store';
import { NotFound } from '@sightline/core/store/not-found';
import { HttpError } from '@sightline/platform/http/http-errors';
import type { ApiContext } from '../context/api-context.ts';
import { matchesEntityTag } from './entity-tag.ts';
import { parseRange } from './parse-range.ts';

export interface MediaRequest {
  /** Reads the key of the file from the database; undefined if the caller's environment has no row of this file. */
  readonly readKey: () => Promise<string | undefined>;
  readonly path: { readonly id: number; readonly hash: string };
  /** Whether clients may keep the file without asking again. A browser has to ask, because its person may sign out. */
  readonly isKept: boolean;
  readonly headers: {
    readonly 'if-none-match'?: string | undefined;
    readonly range?: string | undefined;
    readonly 'if-range'?: string | undefined;
  };
  readonly signal: AbortSignal;
}

const KEPT = 'private, max-age=86400, immutable';
const ASKED_FOR = 'private, no-cache';

type Headers = Readonly<Record<string, string>>;

/**
 * Answers with a stored file, with a range of the file, or with 304 if the client has the file already. Clients may cache
 * the answer, because the path contains the digest of the file.
 *
 * @throws NotFound if there is no row with this digest, or no file; HttpError
 *   range_not_satisfiable; StoreUnavailable
 */
export async function answerMedia(
  context: Pick<ApiContext, 'media' | 'logger'>,
  { readKey, path, headers, isKept, signal }: MediaRequest,
) {
  const missing = new NotFound('file', `${path.id}/${path.hash}.jpg`);
  const key = await readKey();
  if (key === undefined || digestOfMediaKey(key) !== path.hash) throw missing;
  const answer = await answerFile(context, { key, readKey, missing, headers, signal });
  const cached = { ...answer.headers, 'Cache-Control': isKept ? KEPT : ASKED_FOR };
  return { ...answer, headers: cached };
}

interface FileRequest extends Pick<MediaRequest, 'readKey' | 'headers' | 'signal'> {
  readonly key: string;
  readonly missing: NotFound;
}

/**
 * Answers like {@link answerMedia}, with a key that the caller has already read, and without caching.
 *
 * @throws `missing`; HttpError range_not_satisfiable; StoreUnavailable
 */
export async function answerFile(
  { media, logger }: Pick<ApiContext, 'media' | 'logger'>,
  { key, readKey, missing, headers, signal }: FileRequest,
) {
  const etag = `"${digestOfMediaKey(key)}"`;
  const known: Headers = { ETag: etag };
  if (matchesEntityTag(headers['if-none-match'], etag)) {
    return { status: 304, body: undefined, headers: known } as const;
  }
  const ifRange = headers['if-range'];
  const isSame = ifRange === undefined || ifRange === etag;
  const range = isSame ? parseRange(headers.range) : undefined;
  const object = await media.open(key, range, signal);
  if (object === null) {
    // The row may have been deleted just before the file was opened. A file is only missing if the row still exists.
    if ((await readKey()) === key)
      logger.error(
        { key },
        'the database refers to an image file that is missing in the media store',
      );
    throw missing;
  }
  const { size, body } = object;
  const { start, end } = boundsOf(range, size);
  const all = { ...known, 'Accept-Ranges': 'bytes', 'Content-Length': String(end - start) };
  if (range === undefined) return { status: 200, body, headers: all } as const;
  if (start === end) {
    await body.cancel();
    throw unsatisfiable(object);
  }
  const part = { 'Content-Range': `bytes ${start}-${end - 1}/${size}` };
  return { status: 206, body, headers: { ...all, ...part } } as const;
}

function unsatisfiable({ size }: MediaObject): HttpError {
  const headers = { 'Content-Range': `bytes */${size}` };
  const detail = `The range starts after the end of the file, which has ${size} bytes.`;
  return new HttpError('range_not_satisfiable', detail, { headers });
}
