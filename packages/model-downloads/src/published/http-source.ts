import { Readable } from 'node:stream';
import { contentCodings } from '@sightline/platform/outgoing/content-codings';
import type { GuardedFetch, OpenedAnswer } from '@sightline/platform/outgoing/guarded-fetch';
import { FetchFailed, TargetRefused } from '@sightline/platform/outgoing/outgoing-errors';
import type { Reach } from '@sightline/platform/outgoing/target-guard';
import type { FetchFailureReason } from '@sightline/core/models/model-source';
import { SourceFailed } from '../source-failed.ts';
import type { OpenedSource, OpeningRange, PublishedSource } from './published-source.ts';
import { SourceInterrupted } from './source-interrupted.ts';

/** The longest pause in ms that a server may request. It is limited, because the job waits for it. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Statuses below 500 that are temporary failures. */
const TEMPORARY = new Set([408, 425, 429]);

export interface HttpSourceDeps {
  readonly http: Pick<GuardedFetch, 'open'>;
  readonly reach: Reach;
  /** The value of the `Authorization` header, which only the server in the address receives. */
  readonly authorization?: string | undefined;
}

/** A file behind an http or https URL. A download can resume if the server supports range requests (RFC 9110, 14). */
export class HttpSource implements PublishedSource {
  readonly name: string;
  readonly #url: string;
  readonly #deps: HttpSourceDeps;

  constructor(url: URL, deps: HttpSourceDeps) {
    this.name = url.host;
    this.#url = url.href;
    this.#deps = deps;
  }

  async open(range: OpeningRange, signal: AbortSignal): Promise<OpenedSource> {
    const answer = await this.#request(range, signal);
    try {
      return openedSource(answer, range, signal);
    } catch (error) {
      discard(answer.body);
      throw error;
    }
  }

  async #request({ offset, validator }: OpeningRange, signal: AbortSignal): Promise<OpenedAnswer> {
    const { http, reach, authorization } = this.#deps;
    const headers = {
      accept: '*/*',
      'accept-encoding': 'identity',
      ...(offset > 0 && { range: `bytes=${offset}-` }),
      ...(offset > 0 && validator !== null && { 'if-range': validator }),
    };
    try {
      return await http.open(this.#url, { reach, headers, authorization, signal });
    } catch (error) {
      signal.throwIfAborted();
      throw asSourceError(error);
    }
  }
}

function asSourceError(error: unknown): unknown {
  if (error instanceof TargetRefused) {
    return new SourceFailed('has an address that is not allowed', { reason: 'access_denied' });
  }
  if (!(error instanceof FetchFailed)) return error;
  if (error.reason === 'redirects') return new SourceFailed('redirected too often');
  if (error.reason === 'credentials')
    return new SourceFailed('redirected to a URL with a user name or a password');
  if (error.reason === 'proxy') return new SourceFailed(`cannot be reached (${error.message})`);
  return new SourceInterrupted(
    `cannot be reached (${proxyRefusal(error) ?? codeOf(error.cause)})`,
    {
      cause: error,
    },
  );
}

/** The refusal of a proxy to open a tunnel, of which undici tells the status only in a message. */
function proxyRefusal({ cause }: FetchFailed): string | null {
  const message = cause instanceof Error ? cause.message : '';
  const [, status] = /^Proxy response \((\d{3})\)/.exec(message) ?? [];
  return status === undefined ? null : `the proxy responded with status ${status}`;
}

function openedSource(
  { status, headers, body }: OpenedAnswer,
  range: OpeningRange,
  signal: AbortSignal,
): OpenedSource {
  const parts = partsOf(status, headers, range);
  if (contentCodings(headers['content-encoding']).length > 0)
    throw new SourceFailed('sent a compressed response, which a download cannot resume');
  const validator = validatorOf(headers) ?? (parts.start > 0 ? range.validator : null);
  if (parts.start > 0 && range.validator !== null && validator !== range.validator) {
    throw new SourceInterrupted('has replaced the file since the download began', {
      isChanged: true,
    });
  }
  if (status !== 416) return { ...parts, validator, body: readBody(body, signal) };
  // The body of a response with status 416 is not part of the file.
  discard(body);
  return { ...parts, validator, body: Readable.from([]) };
}

function discard(body: OpenedAnswer['body']): void {
  body.on('error', () => undefined).destroy();
}

type Headers = OpenedAnswer['headers'];

function partsOf(
  status: number,
  headers: Headers,
  { offset }: OpeningRange,
): Pick<OpenedSource, 'start' | 'total'> {
  switch (status) {
    case 200:
      return { start: 0, total: numberOf(textOf(headers, 'content-length')) };
    case 206:
    case 416:
      return { start: offset, total: totalOfRest(status, headers, offset) };
    default:
      throw refusal(status, headers);
  }
}

/** The size of the whole file, if the response has the rest of the file or states that the rest is empty. */
function totalOfRest(status: 206 | 416, headers: Headers, offset: number): number | null {
  const range = textOf(headers, 'content-range') ?? '';
  const [, first, total = null] = /^bytes (\d+-\d+|\*)\/(\d+|\*)$/.exec(range) ?? [];
  const isRest = status === 206 && Number(first?.split('-')[0]) === offset;
  // Status 416 means that the file has no bytes from the offset on. The received bytes are the whole file only if the
  // file still has exactly this size.
  const isWhole = status === 416 && numberOf(total) === offset;
  if (offset > 0 && (isRest || isWhole)) return numberOf(total);
  throw new SourceInterrupted('does not have the rest of the file', { isChanged: true });
}

function refusal(status: number, headers: Headers): SourceFailed {
  const sentence = `responded with status ${status}`;
  if (status < 500 && !TEMPORARY.has(status)) {
    return new SourceFailed(sentence, { reason: reasonOf(status) });
  }
  return new SourceInterrupted(sentence, { retryAfterMs: retryAfterMs(headers) });
}

function reasonOf(status: number): FetchFailureReason {
  if (status === 401 || status === 403) return 'access_denied';
  return status === 404 || status === 410 ? 'not_found' : 'source_unreachable';
}

/** A validator that changes with each byte of the file. A weak ETag does not guarantee that. */
function validatorOf(headers: Headers): string | null {
  const etag = textOf(headers, 'etag');
  if (etag !== null && !etag.startsWith('W/')) return etag;
  return textOf(headers, 'last-modified');
}

function retryAfterMs(headers: Headers): number | undefined {
  const value = textOf(headers, 'retry-after');
  if (value === null) return undefined;
  const delayMs = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(delayMs) ? undefined : Math.min(Math.max(delayMs, 0), MAX_RETRY_AFTER_MS);
}

async function* readBody(
  body: OpenedAnswer['body'],
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body) yield chunk as Uint8Array;
  } catch (error) {
    signal.throwIfAborted();
    throw new SourceInterrupted(`closed the connection (${codeOf(error)})`, { cause: error });
  }
}

function textOf(headers: Headers, name: string): string | null {
  const value = headers[name];
  return (typeof value === 'string' ? value : value?.[0]) ?? null;
}

function numberOf(text: string | null | undefined): number | null {
  const value = /^\d+$/.test(text ?? '') ? Number(text) : NaN;
  return Number.isSafeInteger(value) ? value : null;
}

/** The code of an error. Messages are not shown, because they may contain addresses. */
function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : null;
  return typeof code === 'string' ? code : 'unknown error';
}
