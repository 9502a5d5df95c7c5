import type { Readable } from 'node:stream';
import { type Dispatcher, errors } from 'undici';
import { GuardedAgent } from './guarded-agent.ts';
import { NameLookups, type Sender } from './name-lookups.ts';
import {
  FetchFailed,
  FetchTimeout,
  isOutgoingError,
  NotTaken,
  TargetRefused,
} from './outgoing-errors.ts';
import type { Proxies } from './proxies.ts';
import { discard, readFetchedBody } from './read-fetched-body.ts';
import { createNameResolver } from './resolve-name.ts';
import {
  checkTargetUrl,
  hasCredentials,
  type Endpoint,
  type Reach,
  type Resolve,
} from './target-guard.ts';
import { portOf, withoutBrackets } from './url-endpoint.ts';

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = {
  accept: '*/*',
  'accept-encoding': 'gzip, br, deflate',
  'user-agent': 'Sightline',
};

export interface FetchRules {
  /** The current endpoints of the platform's stores and the service's own listeners, which requests must not reach. */
  readonly ownEndpoints: () => readonly Endpoint[];
  /** Looks up the hosts of targets and of own endpoints, instead of the usual resolvers. */
  readonly resolve?: Resolve | undefined;
  /** The proxies of `open`; other requests, whose URLs callers supply, use none. */
  readonly proxies?: Proxies | null;
}

export interface FetchLimits extends Pick<Sender, 'environmentId'> {
  readonly reach: Reach;
  /** The maximum size of the body, in bytes, as it is sent and as it is decoded. */
  readonly maxBytes: number;
  /** Called with the number of decoded bytes as they arrive. Its errors end the fetch, and are thrown unchanged. */
  readonly take?: ((bytes: number) => void) | undefined;
  /** The timeout of the whole request including redirects, in ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OpenLimits {
  readonly reach: Reach;
  /** Replaces the default headers, which request an image. */
  readonly headers: Readonly<Record<string, string>>;
  /** The `Authorization` header. It is sent only to the origin of the URL, until a redirect elsewhere. */
  readonly authorization?: string | undefined;
  /** The signal that aborts the request. The request has no timeout of its own, because the body may be long. */
  readonly signal: AbortSignal;
}

export interface PostOptions extends Pick<Sender, 'environmentId'> {
  readonly reach: Reach;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  /** The maximum number of response bytes to read. After a longer response, the connection is closed. */
  readonly maxAnswerBytes: number;
  /** The timeout for the connection, the request and the whole response together, in ms. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** The status and the headers of a response with any status. */
export type AnswerHead = Omit<OpenedAnswer, 'body'>;

/** A response with any status. The caller must read or destroy the body. */
export interface OpenedAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** The body as sent by the server, without content decoding. */
  readonly body: Readable;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Fetches URLs that callers supply, without giving callers access to the service's network. */
export class GuardedFetch implements AsyncDisposable {
  /**
   * One agent per reach. An agent reuses connections, and a connection to a private address must not serve public
   * requests.
   */
  readonly #agents: Readonly<Record<Reach, GuardedAgent>>;
  /** The agents of `open`. */
  readonly #openingAgents: Readonly<Record<Reach, GuardedAgent>>;
  #lastPlace: (Place & { readonly url: string }) | null = null;

  constructor({ ownEndpoints, resolve, proxies = null }: FetchRules) {
    const names = new NameLookups(resolve ?? createNameResolver());
    const resolveOwn = resolve && ((host: string) => resolve(host, NEVER));
    const rules = { ownEndpoints, names, resolveOwn };
    const agentsWith = (through: Proxies | null) => ({
      private: new GuardedAgent({ ...rules, proxies: through }, 'private'),
      public: new GuardedAgent({ ...rules, proxies: through }, 'public'),
    });
    this.#agents = agentsWith(null);
    this.#openingAgents = proxies === null ? this.#agents : agentsWith(proxies);
  }

  /**
   * Fetches a URL and returns the decoded body in a new buffer. Follows at most 3 redirects, whose targets are checked
   * like the first URL. A user name and password in the URL are sent as Basic authorization to its origin only, until a
   * redirect elsewhere.
   *
   * @throws TargetRefused, FetchFailed, FetchTooLarge, FetchTimeout; the errors of `limits.take`; the signal's reason on
   *   abort
   */
  async bytes(url: string, limits: FetchLimits): Promise<Bytes> {
    try {
      return await withinTime(limits, (signal) => this.#read(url, limits, signal));
    } catch (error) {
      throw error instanceof NotTaken ? error.reason : error;
    }
  }

  /**
   * Checks a URL by its text: its scheme, and its host, whose name is not looked up. A request to the URL is checked
   * again with the addresses of the name.
   *
   * @throws TargetRefused
   */
  async check(url: string, reach: Reach): Promise<void> {
    const target = parseTarget(url);
    try {
      await this.#agents[reach].check({ host: placeOf(target).host, port: portOf(target) });
    } catch (error) {
      // The name of an own endpoint that cannot be looked up says nothing about the target.
      if (error instanceof TargetRefused) throw error;
    }
  }

  /**
   * Posts a body and discards the body of the response. Redirects are not followed but returned like any other
   * response.
   *
   * @throws TargetRefused, FetchFailed, FetchTimeout; the signal's reason on abort
   */
  async post(url: string, options: PostOptions): Promise<AnswerHead> {
    return withinTime(options, (signal) => this.#post(url, options, signal));
  }

  async #post(url: string, options: PostOptions, signal: AbortSignal): Promise<AnswerHead> {
    const { environmentId, reach, headers, body, maxAnswerBytes } = options;
    const request = {
      ...this.#placeOf(url),
      method: 'POST',
      headers: { 'user-agent': HEADERS['user-agent'], ...headers },
      body,
    };
    const answer = await this.#agents[reach].request(request, { environmentId, signal });
    // The response is read to its end, so that the connection can be reused.
    await answer.body.dump({ limit: maxAnswerBytes, signal });
    return { status: answer.statusCode, headers: answer.headers };
  }

  /** Parses a URL. The last result is cached, because many consecutive posts go to the same URL. */
  #placeOf(url: string): Place {
    if (this.#lastPlace?.url !== url) {
      this.#lastPlace = { url, ...placeOf(parseTarget(url)) };
    }
    const { origin, host, path } = this.#lastPlace;
    return { origin, host, path };
  }

  /**
   * Sends a request, through a proxy if there is one for the host, and returns the response, whose body the caller reads
   * as a stream. Follows at most 3 redirects, whose targets are checked like the first URL. A redirect from https to http
   * is refused.
   *
   * @throws TargetRefused; FetchFailed if the server does not respond or redirects too often; the signal's reason on
   *   abort
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
        environmentId: null,
        signal,
      };
      const found = await follow(this.#openingAgents[reach], parseTarget(url), ways);
      return { status: found.statusCode, headers: found.headers, body: found.body };
    } catch (error) {
      signal.throwIfAborted();
      throw isOutgoingError(error) ? error : unreachable(error);
    }
  }

  async #read(url: string, limits: FetchLimits, signal: AbortSignal): Promise<Bytes> {
    const { environmentId, reach, maxBytes, take } = limits;
    const { target, authorization } = withoutCredentials(url);
    const ways = { headers: HEADERS, authorization, isKeptSecure: false, environmentId, signal };
    const response = await follow(this.#agents[reach], target, ways);
    requireSuccess(response);
    return readFetchedBody(response, { maxBytes, take, signal });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const agents = [this.#agents, this.#openingAgents].flatMap((each) => Object.values(each));
    await Promise.all([...new Set(agents)].map((agent) => agent[Symbol.asyncDispose]()));
  }
}

/** @throws FetchTimeout if the work takes longer than `timeoutMs` */
async function withinTime<T>(
  { timeoutMs, signal }: Pick<FetchLimits, 'timeoutMs' | 'signal'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  signal?.throwIfAborted();
  // AbortSignal.timeout is not used, because it would stay in memory until its time is over.
  const either = new AbortController();
  const timer = setTimeout(() => either.abort(new FetchTimeout(timeoutMs)), timeoutMs);
  const abort = () => either.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    return await work(either.signal);
  } catch (error) {
    if (either.signal.reason instanceof FetchTimeout) throw either.signal.reason;
    signal?.throwIfAborted();
    if (error instanceof errors.ConnectTimeoutError) throw new FetchTimeout(timeoutMs);
    throw isOutgoingError(error) || error instanceof FetchTimeout ? error : unreachable(error);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

/** A signal that does not abort. */
const NEVER = new AbortController().signal;

interface Place {
  readonly origin: string;
  readonly host: string;
  readonly path: string;
}

interface Ways extends Sender {
  readonly headers: Readonly<Record<string, string>>;
  /** The `Authorization` header, which is sent only to the first origin, and no longer after a redirect elsewhere. */
  readonly authorization?: string | undefined;
  /** Whether a redirect from https to http is refused. */
  readonly isKeptSecure: boolean;
}

/** Follows redirects and returns the first response that is not a redirect. */
async function follow(
  agent: GuardedAgent,
  start: URL,
  { headers, authorization, isKeptSecure, ...sender }: Ways,
): Promise<Dispatcher.ResponseData> {
  let url = start;
  let allowed = authorization === undefined ? headers : { ...headers, authorization };
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const request = { ...placeOf(url), method: 'GET', headers: allowed } as const;
    const response = await agent.request(request, sender);
    const { location } = response.headers;
    if (!REDIRECTS.has(response.statusCode) || typeof location !== 'string') {
      return response;
    }
    discard(response.body);
    const from = url;
    url = redirectTarget(inAscii(location), from);
    if (isKeptSecure && from.protocol === 'https:' && url.protocol === 'http:') {
      throw new TargetRefused();
    }
    // Another origin must not choose, by a redirect back, what is requested with the credentials.
    if (url.origin !== from.origin) allowed = headers;
  }
  throw new FetchFailed('redirects', `The target redirected more than ${MAX_REDIRECTS} times.`);
}

function placeOf({ origin, hostname, pathname, search }: URL): Place {
  return { origin, host: withoutBrackets(hostname), path: pathname + search };
}

/** Separates the user name and password of a URL from its target, as Basic authorization (RFC 7617). */
function withoutCredentials(text: string): { target: URL; authorization: string | undefined } {
  const target = URL.parse(text);
  if (target === null) throw new TargetRefused();
  const { username, password } = target;
  const authorization = hasCredentials(target) ? basic(username, password) : undefined;
  target.username = '';
  target.password = '';
  checkTargetUrl(target);
  return { target, authorization };
}

/** @param credentials percent-encoded, as in a URL */
function basic(...credentials: readonly [username: string, password: string]): string {
  const bytes = credentials.map((text) =>
    text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
  );
  return `Basic ${Buffer.from(bytes.join(':'), 'latin1').toString('base64')}`;
}

function parseTarget(url: string, base?: URL): URL {
  const parsed = URL.parse(url, base?.href);
  if (parsed === null) throw new TargetRefused();
  checkTargetUrl(parsed);
  return parsed;
}

/** @throws TargetRefused; FetchFailed if the target has credentials, which only the caller may give */
function redirectTarget(location: string, from: URL): URL {
  const url = URL.parse(location, from.href);
  if (url !== null && hasCredentials(url)) {
    throw new FetchFailed(
      'credentials',
      'The target redirected to a URL with a user name or a password: only the requested URL may have them.',
    );
  }
  return parseTarget(location, from);
}

/**
 * Percent-encodes the bytes beyond ASCII, which many servers send in UTF-8. undici reads each byte as one character.
 */
function inAscii(header: string): string {
  return header.replace(
    /[\x80-\xff]/g,
    (byte) => `%${byte.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function requireSuccess({ statusCode, body }: Dispatcher.ResponseData): void {
  if (statusCode === 200) return;
  discard(body);
  throw new FetchFailed('status', `The target responded with status ${statusCode}.`);
}

function unreachable(cause: unknown): FetchFailed {
  return new FetchFailed('unreachable', 'The target could not be reached.', { cause });
}
