import type { AnalyzerStatus, NamedModels } from '@sightline/core/models/analyzer-status';
import type { Readable } from 'node:stream';
import type { AnalysisRequest, ImageAnalysis } from '@sightline/core/analysis/image-analyzer';
import { NO_TENANT } from '@sightline/core/analysis/tenant';
import type { DomainError } from '@sightline/core/domain-error';
import {
  InferenceOverloaded,
  InferenceUnavailable,
  ModelNotHere,
} from '@sightline/core/models/model-errors';
import type { ActiveModel } from '@sightline/core/models/model';
import type { DesiredModels } from '@sightline/core/models/desired-models';
import { decodeAnswer } from '@sightline/engine/wire/answer-message';
import { decodeError } from '@sightline/engine/wire/error-message';
import { DEADLINE_HEADER, MAX_HEAD_BYTES, WIRE_TYPE } from '@sightline/engine/wire/preamble';
import { encodeRequest } from '@sightline/engine/wire/request-message';
import { decodeStatusFor } from '@sightline/engine/wire/status-message';
import { encodeTenant } from '@sightline/engine/wire/tenant-header';
import { WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import { WIRE_VERSIONS } from '@sightline/engine/wire/wire-versions';
import {
  Credential,
  type ReadValues,
  withCredential,
} from '@sightline/platform/resilience/credential';
import { FairShares } from '@sightline/platform/resilience/fair-shares';
import type { Guard } from '@sightline/platform/resilience/guard';
import { type Dispatcher, Pool } from 'undici';
import { readBody } from './read-body.ts';
import { validateAnswer } from './validate-answer.ts';

const CONNECT_TIMEOUT_MS = 1_000;
/**
 * The most connections for requests with images. The limit is high, so that usually every request has a connection
 * and waits in the queue of the process, which decides the order of requests. Tenants have shares of the connections,
 * so that one tenant cannot use them all.
 */
const CONNECTIONS = 256;
/** How long an idle connection stays open. It is shorter than the server's time, so that the server rarely closes first. */
const KEEP_ALIVE_MS = 30_000;
/** How long an address is avoided after a failure, in ms, while other addresses respond. */
const COOLDOWN_MS = 1_000;
/** How long an address is avoided, in ms, if it shares no version of the wire format with this process. */
const UNUSABLE_MS = 5_000;
/** How long an address is avoided, in ms, for requests that name the models which the address lacked. */
const LACKS_MS = 500;
const PROCESSING = 102;
const OK = 200;
const NO_CONTENT = 204;
const UNAUTHORIZED = 401;
/** The status if a process gets its desired models from a file and accepts none over HTTP. */
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
/** The limit of a response, which contains the JPEGs of the image and of all crops. */
const MAX_RESPONSE_BYTES = 512 * 1024 * 1024;

/** The error codes of a request on an idle connection that the server has just closed. */
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

/** The result of one attempt. An abort by the caller is thrown instead. */
export type Reply =
  | { readonly kind: 'answered'; readonly analysis: ImageAnalysis }
  /** The image is invalid; all processes would refuse it. */
  | { readonly kind: 'refused'; readonly error: DomainError }
  | { readonly kind: 'overloaded'; readonly error: InferenceOverloaded }
  /** The process lacks a model that the request names. This is not a failure. */
  | { readonly kind: 'not_here'; readonly error: ModelNotHere }
  /** The process speaks other wire versions, because its release is too old or too new. This is not a failure. */
  | { readonly kind: 'unusable'; readonly error: WireVersionMismatch }
  | { readonly kind: 'failed'; readonly error: unknown; readonly connection: ConnectionEnd };

/**
 * `broken`: the connection ended before a response; a new connection may succeed. `broken_alone`: so it did, and the
 * process had no other image then. `other`: the process cannot be reached, or has answered.
 */
type ConnectionEnd = 'broken' | 'broken_alone' | 'other';

/** Whether the process has said that it has no other image. Each interim response changes that. */
interface Solitude {
  isAlone: boolean;
}

export interface Attempt {
  readonly signal: AbortSignal;
  /** The remaining time of the whole analysis, in ms. */
  readonly leftMs: number;
}

type WatchedAttempt = Attempt & { readonly solitude: Solitude };

/** Wraps the requests to an address. Disposed of together with the address. */
export interface AddressGuard extends Partial<Disposable> {
  readonly guard: Guard;
}

export interface AddressOptions {
  readonly guardOf: (address: InferenceAddress) => AddressGuard;
  /** Reads the secret that the process shares with its clients; null if it needs none. */
  readonly key: ReadValues | null;
  readonly onKeyRefused: ((url: string) => void) | undefined;
  /** The versions of the wire format that this process speaks; if absent, those of its release. */
  readonly spoken?: readonly number[];
}

type KeylessRequest = Omit<Dispatcher.RequestOptions, 'headers'> & {
  readonly headers?: Readonly<Record<string, string>>;
};

class KeyRefused extends Error {
  readonly code = 'INFERENCE_KEY_REFUSED';

  constructor() {
    super(
      'The inference process refuses the key that this process sends: all processes need the same key.',
    );
  }
}

/** The address of one inference process, or of several behind a load balancer. */
export class InferenceAddress implements AsyncDisposable {
  readonly url: string;
  readonly #imagePool: Pool;
  /** Separate connections for status requests, so that they do not wait behind images. */
  readonly #statusPool: Pool;
  readonly #guard: AddressGuard;
  readonly #credential: Credential | null;
  readonly #onKeyRefused: ((url: string) => void) | undefined;
  /** The last status and its bytes. The status is polled often and rarely changes, so equal bytes are not decoded again. */
  #lastStatus: ({ readonly bytes: Uint8Array } & ReturnType<typeof decodeStatusFor>) | null = null;
  readonly #connections = new FairShares(CONNECTIONS);
  /** The models that the process lacked at the last attempt, and until when requests for these models avoid it. */
  #lacking: { readonly models: NamedModels; readonly until: number } | null = null;
  #coolsDownUntil = -Infinity;
  readonly #spoken: readonly number[];
  /** The wire version of requests. It is this release's until a status says which versions the process speaks. */
  #version: number;
  #unusableUntil = -Infinity;

  constructor(url: URL, options: AddressOptions) {
    const { guardOf, key, onKeyRefused, spoken = WIRE_VERSIONS } = options;
    this.url = url.origin;
    this.#credential = key === null ? null : new Credential(key);
    this.#onKeyRefused = onKeyRefused;
    this.#spoken = spoken;
    this.#version = Math.max(...spoken);
    const poolOptions = {
      pipelining: 1,
      connect: { timeout: CONNECT_TIMEOUT_MS },
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: KEEP_ALIVE_MS,
      keepAliveMaxTimeout: KEEP_ALIVE_MS,
    };
    this.#imagePool = new Pool(url.origin, { ...poolOptions, connections: CONNECTIONS });
    this.#statusPool = new Pool(url.origin, { ...poolOptions, connections: 2 });
    this.#guard = guardOf(this);
  }

  /** The number of requests in flight, and how many of them are interactive. */
  get busy(): { readonly all: number; readonly interactive: number } {
    return { all: this.#connections.held, interactive: this.#connections.heldInteractively };
  }

  /** Whether an attempt failed less than {@link COOLDOWN_MS} ago. */
  get isCoolingDown(): boolean {
    return performance.now() < this.#coolsDownUntil;
  }

  /** Whether the address is avoided, because less than {@link UNUSABLE_MS} ago it and this process shared no wire version. */
  get isUnusable(): boolean {
    return performance.now() < this.#unusableUntil;
  }

  /** Whether the address lacked these models less than {@link LACKS_MS} ago. */
  lacks({ face, object }: NamedModels): boolean {
    if (this.#lacking === null || performance.now() > this.#lacking.until) return false;
    const { models } = this.#lacking;
    return models.face === face && models.object === object;
  }

  /** @throws only the signal's reason */
  async analyze(request: AnalysisRequest, attempt: Attempt): Promise<Reply> {
    const { tenant = NO_TENANT } = request;
    if (this.#connections.take(tenant, 1) !== 'admitted') {
      return { kind: 'overloaded', error: new InferenceOverloaded(1) };
    }
    const solitude: Solitude = { isAlone: false };
    try {
      const reply = await this.#guard.guard(
        (signal) => this.#ask(request, { ...attempt, signal, solitude }),
        attempt.signal,
      );
      this.#coolsDownUntil = reply.kind === 'failed' ? performance.now() + COOLDOWN_MS : -Infinity;
      if (reply.kind === 'not_here') {
        this.#lacking = { models: request.models ?? {}, until: performance.now() + LACKS_MS };
      }
      return reply;
    } catch (error) {
      attempt.signal.throwIfAborted();
      this.#coolsDownUntil = performance.now() + COOLDOWN_MS;
      const broken = solitude.isAlone ? 'broken_alone' : 'broken';
      return { kind: 'failed', error, connection: BROKEN.has(codeOf(error)) ? broken : 'other' };
    } finally {
      this.#connections.giveBack(tenant, 1);
    }
  }

  /** @throws any error of the request; the signal's reason on abort */
  async status(signal: AbortSignal): Promise<AnalyzerStatus> {
    const { statusCode, headers, body } = await this.#send(this.#statusPool, {
      method: 'GET',
      path: '/v1/status',
      signal,
    });
    const bytes = await readBody(headers['content-length'], body, MAX_HEAD_BYTES);
    if (statusCode === UNAUTHORIZED) throw this.#keyRefused();
    if (statusCode !== OK) throw new Error(`The status request returned ${statusCode}.`);
    if (this.#lastStatus === null || Buffer.compare(this.#lastStatus.bytes, bytes) !== 0) {
      this.#lastStatus = { bytes, ...this.#decodeStatus(bytes) };
    }
    this.#version = this.#lastStatus.version;
    this.#unusableUntil = -Infinity;
    return this.#lastStatus.status;
  }

  /**
   * Sends the desired models to the process.
   *
   * @throws any error of the request; the signal's reason on abort
   */
  async hold(desired: DesiredModels, signal: AbortSignal): Promise<void> {
    const { statusCode, headers, body } = await this.#send(this.#statusPool, {
      method: 'PUT',
      path: '/v1/models',
      signal,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(desired),
    });
    if (statusCode === NO_CONTENT) return body.dump();
    const bytes = await readBody(headers['content-length'], body, MAX_HEAD_BYTES);
    if (statusCode === UNAUTHORIZED) throw this.#keyRefused();
    // A 404 is no error, because the process gets its desired models from a file. Its status shows its loaded models.
    if (statusCode !== NOT_FOUND) throw errorOf(statusCode, bytes);
  }

  /** Accepts no further requests, and resolves when all requests in flight have ended. */
  async finish(): Promise<void> {
    await Promise.all([this.#imagePool.close(), this.#statusPool.close()]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#guard[Symbol.dispose]?.();
    await Promise.all([this.#imagePool.destroy(), this.#statusPool.destroy()]);
  }

  /** Sends a request, and sends it again with another valid key if the process refuses the key in use. */
  async #send(pool: Pool, request: KeylessRequest): Promise<Dispatcher.ResponseData> {
    if (this.#credential === null) return pool.request(request);
    let refused: Dispatcher.ResponseData | null = null;
    return withCredential(
      this.#credential,
      async (key) => {
        await refused?.body.dump();
        const headers = { ...request.headers, authorization: `Bearer ${key}` };
        return pool.request({ ...request, headers });
      },
      (outcome) => {
        const answer = outcome.status === 'fulfilled' ? outcome.value : null;
        refused = answer?.statusCode === UNAUTHORIZED ? answer : null;
        return refused !== null;
      },
    );
  }

  #keyRefused(): KeyRefused {
    this.#onKeyRefused?.(this.url);
    return new KeyRefused();
  }

  #decodeStatus(bytes: Uint8Array): ReturnType<typeof decodeStatusFor> {
    try {
      return decodeStatusFor(bytes, this.#spoken);
    } catch (error) {
      if (error instanceof WireVersionMismatch) this.#passOver();
      throw error;
    }
  }

  #passOver(): void {
    this.#unusableUntil = performance.now() + UNUSABLE_MS;
  }

  /**
   * Sends a request. If its wire version is refused, the status is read and the request is sent again, because a process
   * of another release may have replaced the previous one.
   */
  async #ask(request: AnalysisRequest, attempt: WatchedAttempt): Promise<Reply> {
    try {
      const reply = this.isUnusable ? null : await this.#postIfSpoken(request, attempt);
      if (reply !== null) return reply;
      await this.status(attempt.signal);
      return await this.#post(request, attempt);
    } catch (error) {
      if (!(error instanceof WireVersionMismatch)) throw error;
      this.#passOver();
      return { kind: 'unusable', error };
    }
  }

  /** @returns null if the process does not speak the wire version of the request */
  async #postIfSpoken(request: AnalysisRequest, attempt: WatchedAttempt): Promise<Reply | null> {
    try {
      return await this.#post(request, attempt);
    } catch (error) {
      if (error instanceof WireVersionMismatch) return null;
      throw error;
    }
  }

  async #post(
    request: AnalysisRequest,
    { signal, leftMs, solitude }: WatchedAttempt,
  ): Promise<Reply> {
    solitude.isAlone = false;
    const { tenant = NO_TENANT, ...analysis } = request;
    const chunks = encodeRequest(analysis, this.#version);
    const { statusCode, headers, body } = await this.#send(this.#imagePool, {
      method: 'POST',
      path: '/v1/analyze',
      signal,
      onInfo: ({ statusCode: interim }) => {
        if (interim === PROCESSING) solitude.isAlone = !solitude.isAlone;
      },
      headers: {
        'content-type': WIRE_TYPE,
        'content-length': String(chunks.reduce((total, { length }) => total + length, 0)),
        ...encodeTenant(tenant),
        [DEADLINE_HEADER]: String(Math.max(1, Math.floor(leftMs))),
      },
      // The documentation of undici allows any iterable as a body, but its types do not.
      body: chunks as unknown as Readable,
    });
    const limit = statusCode === OK ? MAX_RESPONSE_BYTES : MAX_HEAD_BYTES;
    const bytes = await readBody(headers['content-length'], body, limit);
    if (statusCode === OK) {
      const answer = decodeAnswer(bytes, this.#spoken);
      validateAnswer(request, answer);
      const error = otherModels(request, answer);
      if (error !== null) return { kind: 'not_here', error };
      return { kind: 'answered', analysis: answer };
    }
    if (statusCode === UNAUTHORIZED) {
      return { kind: 'failed', error: this.#keyRefused(), connection: 'other' };
    }
    const error = errorOf(statusCode, bytes);
    if (error instanceof InferenceOverloaded) return { kind: 'overloaded', error };
    if (error instanceof ModelNotHere) return { kind: 'not_here', error };
    // The process is shutting down or has no worker. The request counts as failed and not as refused, because another
    // process may succeed.
    if (error instanceof InferenceUnavailable)
      return { kind: 'failed', error, connection: 'other' };
    return { kind: 'refused', error };
  }
}

/** Returns an error if another model has answered. A process of an older release ignores which models a request names. */
function otherModels(
  { models = {} }: AnalysisRequest,
  { faces, faceRegions, objects }: ImageAnalysis,
): ModelNotHere | null {
  const isNamed = (named: string | undefined, answered: { readonly model: ActiveModel } | null) =>
    named === undefined || answered === null || answered.model.revision === named;
  const isOfAll =
    isNamed(models.face, faces) &&
    isNamed(models.face, faceRegions) &&
    isNamed(models.object, objects);
  return isOfAll
    ? null
    : new ModelNotHere('The response comes from a model that the request does not name.');
}

function errorOf(statusCode: number, bytes: Uint8Array): DomainError {
  try {
    return decodeError(bytes);
  } catch (error) {
    // A proxy between client and process may send a 429 in its own format.
    if (statusCode === TOO_MANY_REQUESTS) return new InferenceOverloaded(1);
    throw error;
  }
}

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { readonly code?: unknown };
  return typeof code === 'string' ? code : '';
}
