import { once } from 'node:events';
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import { SourceFailed } from '../source-failed.ts';

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** Begins a GET request, as `get` of `node:https` does. */
export type OpenUrl = (url: URL, options: RequestOptions) => ClientRequest;

export interface UrlReading {
  readonly openUrl: OpenUrl;
  /** Of the file: an answer that announces another size is not read. */
  readonly bytes: number;
  /** How long nothing may happen, from the look-up of the name on. */
  readonly silenceMs: number;
  /** How long all of it may take. */
  readonly totalMs: number;
  readonly signal: AbortSignal;
}

/**
 * Reads what an https address gives; at most 5 redirects are followed, to https alone.
 *
 * @throws SourceFailed; the signal's reason on abort
 */
export async function* readUrl(
  start: string,
  { openUrl, bytes, silenceMs, totalMs, signal }: UrlReading,
): AsyncGenerator<Uint8Array> {
  using silence = new Silence(silenceMs);
  const total = AbortSignal.timeout(totalMs);
  const either = AbortSignal.any([signal, silence.signal, total]);
  try {
    const response = await follow(start, (url) => answerOf(openUrl, url, either));
    silence.interrupt();
    requireSize(response, bytes);
    for await (const chunk of response) {
      silence.interrupt();
      yield chunk as Uint8Array;
    }
  } catch (error) {
    signal.throwIfAborted();
    if (silence.signal.aborted) throw new SourceFailed(`said nothing for ${seconds(silenceMs)}`);
    if (total.aborted) throw new SourceFailed(`took longer than ${seconds(totalMs)}`);
    throw error instanceof SourceFailed ? error : unreachable(error);
  }
}

/** A signal that aborts when nothing has happened for a while. */
class Silence implements Disposable {
  readonly #controller = new AbortController();
  readonly #timer: NodeJS.Timeout;

  constructor(milliseconds: number) {
    this.#timer = setTimeout(() => this.#controller.abort(), milliseconds);
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Something has happened. */
  interrupt(): void {
    this.#timer.refresh();
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
  }
}

async function follow(
  start: string,
  ask: (url: URL) => Promise<IncomingMessage>,
): Promise<IncomingMessage> {
  let url = new URL(start);
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const response = await ask(url);
    const { statusCode = 0 } = response;
    if (statusCode === 200) return response;
    response.destroy();
    const { location } = response.headers;
    if (!REDIRECTS.has(statusCode) || location === undefined) {
      throw new SourceFailed(`answered with status ${statusCode}`);
    }
    url = redirectTarget(location, url);
  }
  throw new SourceFailed(`redirected more than ${MAX_REDIRECTS} times`);
}

function redirectTarget(location: string, base: URL): URL {
  const target = URL.parse(location, base.href);
  if (target?.protocol !== 'https:') throw new SourceFailed('redirected to no https address');
  return target;
}

async function answerOf(openUrl: OpenUrl, url: URL, signal: AbortSignal): Promise<IncomingMessage> {
  const headers = { 'user-agent': 'Sightline', 'accept-encoding': 'identity' };
  const request = openUrl(url, { headers, signal });
  // After the answer, what goes wrong is an error of the answer too.
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response', { signal })) as [IncomingMessage];
  return response;
}

function requireSize(response: IncomingMessage, bytes: number): void {
  const { 'content-length': length } = response.headers;
  if (length === undefined || Number(length) === bytes) return;
  response.destroy();
  throw new SourceFailed(`offered ${length} bytes instead of ${bytes}`);
}

/** By its code alone: the message may hold the address of a proxy, and that a password. */
function unreachable(error: unknown): SourceFailed {
  const { code = 'unknown error' } = error as NodeJS.ErrnoException;
  return new SourceFailed(`cannot be reached (${code})`, { cause: error });
}

function seconds(milliseconds: number): string {
  return `${milliseconds / 1000} s`;
}
