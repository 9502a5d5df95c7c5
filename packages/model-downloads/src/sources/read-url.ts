import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { FetchFailed } from '@sightline/platform/outgoing/outgoing-errors';
import { IdleTimeout } from '../idle-timeout.ts';
import { SourceFailed } from '../source-failed.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Starts a GET request, like `get` of `node:https`. */
export type OpenUrl = (url: URL, options: RequestOptions) => ClientRequest;

export interface UrlReading {
  readonly openUrl: OpenUrl;
  /** The expected size. A response with another Content-Length is refused. */
  readonly bytes: number;
  /** The limit in ms until the response begins, including the DNS lookup and redirects. */
  readonly answerMs: number;
  /** The longest pause in ms between two chunks of data. */
  readonly silenceMs: number;
  /** The limit in ms of the whole download. */
  readonly totalMs: number;
  readonly signal: AbortSignal;
}

/**
 * Downloads an https URL. Follows at most 5 redirects, only to https.
 *
 * @throws SourceFailed; the signal's reason on abort
 */
export async function* readUrl(
  start: string,
  { openUrl, bytes, answerMs, silenceMs, totalMs, signal }: UrlReading,
): AsyncGenerator<Uint8Array> {
  using answer = new IdleTimeout(answerMs);
  using idle = new IdleTimeout(silenceMs);
  const total = AbortSignal.timeout(totalMs);
  const combined = AbortSignal.any([signal, answer.signal, idle.signal, total]);
  try {
    const response = await follow(start, (url) => responseOf(openUrl, url, combined));
    answer[Symbol.dispose]();
    idle.refresh();
    requireSize(response, bytes);
    for await (const chunk of response) {
      idle.refresh();
      yield chunk as Uint8Array;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (answer.signal.aborted) throw new SourceFailed(`did not answer in ${seconds(answerMs)}`);
    if (idle.signal.aborted) throw new SourceFailed(`sent no data for ${seconds(silenceMs)}`);
    if (total.aborted) throw new SourceFailed(`took longer than ${seconds(totalMs)}`);
    throw error instanceof SourceFailed ? error : unreachable(error);
  }
}

async function follow(
  start: string,
  send: (url: URL) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  let url = new URL(start);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await send(url);
    const { statusCode = 0 } = response;
    if (statusCode === 200) return response;
    response.destroy();
    const { location } = response.headers;
    if (!REDIRECTS.has(statusCode) || location === undefined) {
      throw new SourceFailed(`responded with status ${statusCode}`);
    }
    url = redirectTarget(location, url);
  }
  throw new SourceFailed(`redirected more than ${MAX_REDIRECTS} times`);
}

function redirectTarget(location: string, base: URL): URL {
  const target = URL.parse(location, base.href);
  if (target?.protocol !== 'https:')
    throw new SourceFailed('redirected to an address that is not https');
  return target;
}

async function responseOf(
  openUrl: OpenUrl,
  url: URL,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const headers = { 'user-agent': 'Sightline', 'accept-encoding': 'identity' };
  const request = openUrl(url, { headers, signal });
  // After the response has begun, the request emits the response's errors once more. Without a listener, they would
  // end the process.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
  return response;
}

function requireSize(response: IncomingMessage, bytes: number): void {
  const { 'content-length': length } = response.headers;
  if (length === undefined || Number(length) === bytes) return;
  response.destroy();
  throw new SourceFailed(`announced ${length} bytes instead of ${bytes}`);
}

/** A failure with only the code of a foreign error, because its message may contain the password of a proxy. */
function unreachable(error: unknown): SourceFailed {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  const reason = error instanceof FetchFailed ? error.message : code;
  return new SourceFailed(`cannot be reached (${reason})`, { cause: error });
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
