import { PassThrough, type Readable, type Transform, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { type Agent, type Dispatcher, errors } from 'undici';
import { KeptBytes } from '../http/kept-bytes.ts';
import { orAbort } from '../resilience/or-abort.ts';
import { createGuardedAgent } from './guarded-agent.ts';
import { FetchFailed, FetchTimeout, FetchTooLarge, TargetRefused } from './outgoing-errors.ts';
import { checkTargetUrl, type Reach, type TargetRules } from './target-guard.ts';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept: '*/*',
  'accept-encoding': 'gzip, br, deflate',
  'user-agent': 'Sightline',
};

export interface FetchLimits {
  readonly reach: Reach;
  /** The maximum number of bytes of the decoded body. */
  readonly maxBytes: number;
  /** Timeout for the whole request, redirects included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenLimits {
  readonly reach: Reach;
  /** Replaces the default headers, which request an image. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Authorization` header for the origin of the URL; other origins to which it redirects do not get it. */
  readonly authorization?: string | undefined;
  /** The caller limits the time: the body may be long. */
  readonly signal: AbortSignal;
}

export interface PostOptions {
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** Bytes of the answer that are read: with more, the connection is closed. */
  readonly maxAnswerBytes: number;
  /** Timeout for connecting, the request, and the headers and body of the answer together. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The head of an answer with any status. */
export type AnswerHead = Omit<OpenedAnswer, 'body'>;

/** An answer with any status. The caller reads or destroys its body. */
export interface OpenedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as it was sent, possibly encoded. */
  readonly body: Readable;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Fetches URLs that callers supply, without giving callers access to the service's network. */
export class GuardedFetch implements AsyncDisposable {
  /** One agent per reach, because an agent reuses connections. */
  readonly #agents: Readonly<Record<Reach, Agent>>;
  #lastPlace: { readonly url: string; readonly origin: string; readonly path: string } | null =
    null;

  constructor(rules: TargetRules) {
    this.#agents = {
      private: createGuardedAgent(rules, 'private'),
      public: createGuardedAgent(rules, 'public'),
    };
  }

  /**
   * The decoded body, in a buffer of its own. At most 3 redirects are followed, each checked like
   * the first URL.
   *
   * @throws TargetRefused, FetchFailed, FetchTooLarge, FetchTimeout; the signal's reason on abort.
   */
  async bytes(url: string, limits: FetchLimits): Promise<Bytes> {
    return withinTime(limits, (signal) => this.#read(url, limits, signal));
  }

  /**
   * Posts a body, and discards the answer. No redirect is followed: it is an answer like any other.
   *
   * @throws TargetRefused, FetchFailed, FetchTimeout; the signal's reason on abort
   */
  async post(url: string, options: PostOptions): Promise<AnswerHead> {
    return withinTime(options, (signal) => this.#post(url, options, signal));
  }

  async #post(url: string, options: PostOptions, signal: AbortSignal): Promise<AnswerHead> {
    const { reach, headers, body, maxAnswerBytes } = options;
    const answer = await this.#agents[reach].request({
      ...this.#placeOf(url),
      method: 'POST',
      headers: { 'user-agent': HEADERS['user-agent'], ...headers },
      body,
      signal,
    });
    // A connection whose answer was read to its end serves the next request.
    await answer.body.dump({ limit: maxAnswerBytes });
    return { status: answer.statusCode, headers: answer.headers };
  }

  /** The last URL is kept in parsed form, because many posts in a row go to one URL. */
  #placeOf(url: string): { readonly origin: string; readonly path: string } {
    if (this.#lastPlace?.url !== url) {
      const { origin, pathname, search } = parseTarget(url);
      this.#lastPlace = { url, origin, path: pathname + search };
    }
    const { origin, path } = this.#lastPlace;
    return { origin, path };
  }

  /**
   * Opens an answer whose body the caller streams. At most 3 redirects are followed, each checked like the first
   * URL; from https none leads to http.
   *
   * @throws TargetRefused; FetchFailed if no answer came or there are too many redirects; the signal's
   *   reason on abort
   */
  async open(
    url: string,
    { reach, headers, authorization, signal }: OpenLimits,
  ): Promise<OpenedAnswer> {
    try {
      const ways = {
        headers: { 'user-agent': HEADERS['user-agent'], ...headers },
        isKeptSecure: true,
        authorization,
      };
      const found = await orAbort(follow(this.#agents[reach], url, { ...ways, signal }), signal);
      return { status: found.statusCode, headers: found.headers, body: found.body };
    } catch (error) {
      signal.throwIfAborted();
      throw isOurs(error) ? error : unreachable(error);
    }
  }

  async #read(url: string, limits: FetchLimits, signal: AbortSignal): Promise<Bytes> {
    const { reach, maxBytes } = limits;
    const ways = { headers: HEADERS, isKeptSecure: false, signal };
    const response = await follow(this.#agents[reach], url, ways);
    requireSuccess(response);
    return readBody(response, { maxBytes, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(Object.values(this.#agents).map((agent) => agent.destroy()));
  }
}

/** @throws FetchTimeout if the work takes longer */
async function withinTime<T>(
  { timeoutMs, signal }: Pick<FetchLimits, 'timeoutMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  // A controller of its own can be freed at the end: `AbortSignal.timeout` lives until its time is over.
  const either = new AbortController();
  const over = Promise.withResolvers<never>();
  const end = (reason: unknown): void => {
    either.abort(reason);
    over.reject(reason);
  };
  const timer = setTimeout(() => end(new FetchTimeout(timeoutMs)), timeoutMs);
  const abort = () => end(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    // The agent notices an abort only once it has connected.
    return await Promise.race([over.promise, work(either.signal)]);
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof errors.ConnectTimeoutError) throw new FetchTimeout(timeoutMs);
    throw isOurs(error) || error instanceof FetchTimeout ? error : unreachable(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

interface Ways {
  readonly headers: Readonly<Record<string, string>>;
  /** The `Authorization` header for the first origin. */
  readonly authorization?: string | undefined;
  /** Whether a redirect from https to http is refused. */
  readonly isKeptSecure: boolean;
  readonly signal: AbortSignal;
}

/** The first answer that is no redirect. */
async function follow(
  agent: Agent,
  start: string,
  { headers, authorization, isKeptSecure, signal }: Ways,
): Promise<Dispatcher.ResponseData> {
  let url = parseTarget(start);
  const first = url.origin;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const { origin, pathname, search } = url;
    const response = await agent.request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers:
        authorization !== undefined && origin === first ? { ...headers, authorization } : headers,
      signal,
    });
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
      return response;
    }
    discard(response.body);
    const from = url.protocol;
    url = parseTarget(location, url);
    if (isKeptSecure && from === 'https:' && url.protocol === 'http:') throw new TargetRefused();
  }
  throw new FetchFailed('redirects', `The target redirects more than ${MAX_REDIRECTS} times.`);
}

function parseTarget(url: string, base?: URL): URL {
  const parsed = URL.parse(url, base?.href);
  if (parsed === null) throw new TargetRefused();
  checkTargetUrl(parsed);
  return parsed;
}

function requireSuccess({ statusCode, body }: Dispatcher.ResponseData): void {
  if (statusCode === 200) return;
  discard(body);
  throw new FetchFailed('status', `The target answered with status ${statusCode}.`);
}

/** Closes the connection instead of reading the rest. */
function discard(body: Dispatcher.ResponseData['body']): void {
  body.on('error', () => undefined).destroy();
}

interface ReadOptions {
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

async function readBody(
  { headers, body }: Dispatcher.ResponseData,
  { maxBytes, signal }: ReadOptions,
): Promise<Bytes> {
  if (Number(headers['content-length']) > maxBytes) {
    discard(body);
    throw new FetchTooLarge(maxBytes);
  }
  const decode = decoderOf(headers['content-encoding']);
  if (decode === undefined) {
    discard(body);
    throw new FetchFailed('broken_body', "The target's answer has an unknown content encoding.");
  }
  const kept = new KeptBytes();
  const collect = new Writable({
    write(chunk: Buffer, _encoding, done) {
      kept.push(chunk);
      done(kept.size <= maxBytes ? null : new FetchTooLarge(maxBytes));
    },
  });
  try {
    await pipeline([body, decode, collect], { signal });
  } catch (error) {
    if (isOurs(error) || signal.aborted) throw error;
    throw new FetchFailed('broken_body', "The target's answer is damaged or cut off.", {
      cause: error,
    });
  }
  return kept.take();
}

function decoderOf(encoding: string | string[] | undefined): Transform | undefined {
  switch (encoding) {
    case undefined:
    case 'identity':
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

function unreachable(cause: unknown): FetchFailed {
  return new FetchFailed('unreachable', 'The target could not be reached.', { cause });
}

function isOurs(error: unknown): boolean {
  return (
    error instanceof TargetRefused || error instanceof FetchFailed || error instanceof FetchTooLarge
  );
}
