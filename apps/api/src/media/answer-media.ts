import { boundsOf } from '@sightline/core/media/byte-range';
import { digestOfMediaKey } from '@sightline/core/media/media-key';
import type { MediaObject } from '@sightline/core/media/media-store';
import type { RenditionRequest } from '@sightline/core/renditions/renditions';
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
  /** The smaller JPEG that is asked for; null for the file itself. */
  readonly rendition: Pick<RenditionRequest, 'scope' | 'subject' | 'width'> | null;
  readonly signal: AbortSignal;
}

const KEPT = 'private, max-age=86400, immutable';
const ASKED_FOR = 'private, no-cache';
/** A file that is larger than the client asked for is replaced by the smaller one as soon as that can be made. */
const NOT_KEPT = 'no-store';

type Headers = Readonly<Record<string, string>>;

/**
 * Answers with a stored file, with a range of the file, or with 304 if the client has the file already. Clients may cache
 * the answer, because the path contains the digest of the file.
 *
 * @throws NotFound if there is no row with this digest, or no file; HttpError
 *   range_not_satisfiable; StoreUnavailable
 */
export async function answerMedia(
  context: Pick<ApiContext, 'media' | 'logger' | 'renditions' | 'analyzer'>,
  request: MediaRequest,
) {
  const { readKey, path, headers, isKept, signal } = request;
  const missing = new NotFound('file', `${path.id}/${path.hash}.jpg`);
  const key = await readKey();
  if (key === undefined || digestOfMediaKey(key) !== path.hash) throw missing;
  const smaller = await answerRendition(context, request, { original: key, missing });
  const answer =
    smaller === 'original' || smaller === 'unavailable'
      ? await answerFile(context, { key, readKey, missing, headers, signal })
      : smaller;
  const control = isKept ? KEPT : ASKED_FOR;
  const cached = {
    ...answer.headers,
    'Cache-Control': smaller === 'unavailable' ? NOT_KEPT : control,
  };
  return { ...answer, headers: cached };
}

/** Answers with the smaller JPEG, unless the file itself has to be sent instead. */
async function answerRendition(
  context: Pick<ApiContext, 'media' | 'logger' | 'renditions' | 'analyzer'>,
  { rendition, headers, signal }: MediaRequest,
  { original, missing }: { readonly original: string; readonly missing: NotFound },
) {
  if (rendition === null) return 'original';
  const { renditions, analyzer } = context;
  const request = { ...rendition, original, analyzer };
  const found = await renditions.find(request, signal);
  if (found.kind !== 'stored') return found.kind;
  const { key } = found;
  // A lost rendition is no defect, because backups need not contain it.
  const readKey = () => Promise.resolve(undefined);
  try {
    return await answerFile(context, { key, readKey, missing, headers, signal });
  } catch (error) {
    if (error !== missing) throw error;
    await renditions.forget(request, key);
    return 'unavailable';
  }
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
