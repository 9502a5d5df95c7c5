import type { Readable } from 'node:stream';
import type {
  AnalysisRequest,
  AnalyzerStatus,
  ImageAnalysis,
} from '@sightline/core/analysis/image-analyzer';
import type { DomainError } from '@sightline/core/domain-error';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import { decodeAnswer } from '@sightline/engine/wire/answer-message';
import { decodeError } from '@sightline/engine/wire/error-message';
import { DEADLINE_HEADER, MAX_HEAD_BYTES, WIRE_TYPE } from '@sightline/engine/wire/preamble';
import { encodeRequest } from '@sightline/engine/wire/request-message';
import { decodeStatus } from '@sightline/engine/wire/status-message';
import type { Guard } from '@sightline/platform/resilience/guard';
import { Pool } from 'undici';
import { readBody } from './read-body.ts';
import { requireAnswerTo } from './require-answer-to.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/** Of requests that carry images; more wait here, where an abort costs nothing. */
const CONNECTIONS = 64;
/** Less than the server's own, so that it is rarely the one who closes. */
const KEEP_ALIVE_MS = 30_000;
/** For how long an address that failed is left alone while others answer. */
const REST_MS = 1_000;
const OK = 200;
const TOO_MANY_REQUESTS = 429;
/** Of an answer: JPEGs of the image and of everything in it. */
const MAX_ANSWER_BYTES = 512 * 1024 * 1024;

/** What a connection that was kept says when the other side has closed it. */
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** What came of one try; the caller's abort is thrown. */
export type Reply =
  | { readonly kind: 'answered'; readonly analysis: ImageAnalysis }
  /** About the image; another process would say the same. */
  | { readonly kind: 'refused'; readonly error: DomainError }
  | { readonly kind: 'overloaded'; readonly error: InferenceOverloaded }
  /** `broken`: the connection ended before an answer; a new one may do. */
  | { readonly kind: 'failed'; readonly error: unknown; readonly broken: boolean };

export interface Attempt {
  readonly signal: AbortSignal;
  /** Time that is left, in ms. */
  readonly leftMs: number;
}

/** One inference process, or several behind one address. */
export class InferenceAddress implements AsyncDisposable {
  readonly url: string;
  readonly #images: Pool;
  /** Small requests have connections of their own: they tell whether the process answers at all. */
  readonly #questions: Pool;
  readonly #guard: Guard;
  /** What it said of itself last: it is asked all the time, and mostly says the same. */
  #said: { readonly bytes: Uint8Array; readonly status: AnalyzerStatus } | null = null;
  #busy = 0;
  #restsUntil = -Infinity;

  constructor(url: URL, guardOf: (address: InferenceAddress) => Guard) {
    this.url = url.origin;
    const options = {
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      ...{ headersTimeout: 0, bodyTimeout: 0, keepAliveTimeout: KEEP_ALIVE_MS },
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    };
    this.#images = new Pool(url.origin, { ...options, connections: CONNECTIONS });
    this.#questions = new Pool(url.origin, { ...options, connections: 2 });
    this.#guard = guardOf(this);
  }

  /** Requests that it has not answered yet. */
  get busy(): number {
    return this.#busy;
  }

  /** Whether it failed a moment ago. */
  get rests(): boolean {
    return performance.now() < this.#restsUntil;
  }

  /** @throws the signal's reason, and nothing else */
  async analyze(request: AnalysisRequest, attempt: Attempt): Promise<Reply> {
    this.#busy += 1;
    try {
      const reply = await this.#guard(
        (signal) => this.#post(request, { ...attempt, signal }),
        attempt.signal,
      );
      this.#restsUntil = reply.kind === 'failed' ? performance.now() + REST_MS : -Infinity;
      return reply;
    } catch (error) {
      attempt.signal.throwIfAborted();
      this.#restsUntil = performance.now() + REST_MS;
      return { kind: 'failed', error, broken: BROKEN.has(codeOf(error)) };
    } finally {
      this.#busy -= 1;
    }
  }

  /** @throws whatever keeps it from answering; the signal's reason on abort */
  async status(signal: AbortSignal): Promise<AnalyzerStatus> {
    const { statusCode, headers, body } = await this.#questions.request({
      ...{ method: 'GET', path: '/v1/status', signal },
    });
    const bytes = await readBody(headers['content-length'], body, MAX_HEAD_BYTES);
    if (statusCode !== OK) throw new Error(`The status was answered with ${statusCode}.`);
    if (this.#said === null || Buffer.compare(this.#said.bytes, bytes) !== 0) {
      this.#said = { bytes, status: decodeStatus(bytes) };
    }
    return this.#said.status;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#images.destroy(), this.#questions.destroy()]);
  }

  async #post(request: AnalysisRequest, { signal, leftMs }: Attempt): Promise<Reply> {
    const chunks = encodeRequest(request);
    const { statusCode, headers, body } = await this.#images.request({
      ...{ method: 'POST', path: '/v1/analyze', signal },
      headers: {
        'content-type': WIRE_TYPE,
        'content-length': String(chunks.reduce((total, { length }) => total + length, 0)),
        [DEADLINE_HEADER]: String(Math.max(1, Math.floor(leftMs))),
      },
      // Its documentation takes any iterable, its types do not.
      body: chunks as unknown as Readable,
    });
    const limit = statusCode === OK ? MAX_ANSWER_BYTES : MAX_HEAD_BYTES;
    const bytes = await readBody(headers['content-length'], body, limit);
    if (statusCode === OK) {
      const analysis = decodeAnswer(bytes);
      requireAnswerTo(request, analysis);
      return { kind: 'answered', analysis };
    }
    const error = refusalOf(statusCode, bytes);
    if (error instanceof InferenceOverloaded) return { kind: 'overloaded', error };
    // It is about to end, has lost its workers, or speaks another version: another one may do.
    if (error instanceof InferenceUnavailable) return { kind: 'failed', error, broken: false };
    return { kind: 'refused', error };
  }
}

function refusalOf(statusCode: number, bytes: Uint8Array): DomainError {
  try {
    return decodeError(bytes);
  } catch (error) {
    // A proxy on the way says it in words of its own.
    if (statusCode === TOO_MANY_REQUESTS) return new InferenceOverloaded(1);
    throw error;
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
