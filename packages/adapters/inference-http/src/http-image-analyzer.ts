import type {
  AnalysisRequest,
  AnalyzerStatus,
  ImageAnalysis,
  ImageAnalyzer,
} from '@sightline/core/analysis/image-analyzer';
import {
  type InferenceOverloaded,
  InferenceUnavailable,
} from '@sightline/core/models/model-errors';
import { WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import type { Guard } from '@sightline/platform/resilience/guard';
import { InferenceAddress, type Reply } from './inference-address.ts';
import { StatusCache } from './status-cache.ts';

const TIMEOUT_MS = 30_000;
/** A first try, and one more after it failed. */
const MOST_FAILURES = 2;

export interface HttpImageAnalyzerOptions {
  /** At least one; all run the same models, but while they are exchanged. */
  readonly urls: readonly URL[];
  /** Of an analysis as a whole, in ms; 30 s if absent. */
  readonly timeoutMs?: number;
  /** Goes around every analysis at one address; whatever it throws says that the address failed. */
  readonly guardOf?: (address: Pingable) => Guard;
}

/** An address as the one who watches it sees it. */
export interface Pingable {
  readonly url: string;
  /** A small request on connections of its own. Throws whatever keeps it from being answered. */
  readonly ping: (signal: AbortSignal) => Promise<void>;
}

/**
 * Core's analyzer over inference processes elsewhere. A request goes to the least busy address; one
 * that fails is left alone for a moment, and the request gets one more try, as an analysis changes
 * nothing. One that is full hands its request on to the others.
 */
export class HttpImageAnalyzer implements ImageAnalyzer, AsyncDisposable {
  readonly #addresses: readonly InferenceAddress[];
  readonly #timeoutMs: number;
  readonly #statuses: StatusCache;
  /** Of equally busy addresses each gets its turn. */
  #turn = 0;

  constructor({ urls, timeoutMs = TIMEOUT_MS, guardOf }: HttpImageAnalyzerOptions) {
    const guard = (address: InferenceAddress): Guard => {
      const ping = async (signal: AbortSignal) => {
        await address.status(signal);
      };
      return guardOf?.({ url: address.url, ping }) ?? unguarded;
    };
    this.#addresses = urls.map((url) => new InferenceAddress(url, guard));
    this.#timeoutMs = timeoutMs;
    this.#statuses = new StatusCache(this.#addresses);
  }

  /**
   * Of all together, as it was at most half a second ago: ready if one is, with the models of the
   * first that has one for the task.
   *
   * @throws InferenceUnavailable if none answers
   */
  async status(signal?: AbortSignal): Promise<AnalyzerStatus> {
    const answers = await this.statuses(signal);
    if (answers.length > 0) return merged(answers);
    throw unavailable(this.#statuses.lastError);
  }

  /** Of each that answers, in the order of the addresses; none if none does. */
  async statuses(signal?: AbortSignal): Promise<readonly AnalyzerStatus[]> {
    signal?.throwIfAborted();
    const answers = await this.#statuses.read();
    signal?.throwIfAborted();
    return answers;
  }

  async analyze(request: AnalysisRequest, signal?: AbortSignal): Promise<ImageAnalysis> {
    signal?.throwIfAborted();
    const limit = new AbortController();
    const timer = setTimeout(() => {
      limit.abort(new InferenceUnavailable('Inference did not answer in time.'));
    }, this.#timeoutMs);
    const either = signal ? AbortSignal.any([signal, limit.signal]) : limit.signal;
    try {
      return await this.#try(request, either);
    } finally {
      clearTimeout(timer);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#addresses.map((address) => address[Symbol.asyncDispose]()));
  }

  async #try(request: AnalysisRequest, signal: AbortSignal): Promise<ImageAnalysis> {
    const endsAt = performance.now() + this.#timeoutMs;
    const tried = new Set<InferenceAddress>();
    const failures: unknown[] = [];
    let full: InferenceOverloaded | null = null;
    for (let next = this.#next(tried); next !== null; next = this.#next(tried)) {
      tried.add(next);
      const reply = await next.analyze(request, { signal, leftMs: endsAt - performance.now() });
      if (reply.kind === 'answered') return reply.analysis;
      if (reply.kind === 'refused') throw reply.error;
      if (reply.kind === 'overloaded') full = sooner(full, reply.error);
      else failures.push(reply.error);
      if (failures.length === MOST_FAILURES) break;
      if (isWorthAnother(reply) && this.#next(tried) === null) tried.delete(next);
    }
    throw full ?? unavailable(failures.at(-1));
  }

  /** The least busy one that was not tried; one that failed a moment ago only if there is no other. */
  #next(tried: ReadonlySet<InferenceAddress>): InferenceAddress | null {
    const turn = this.#turn++ % this.#addresses.length;
    const inTurn = [...this.#addresses.slice(turn), ...this.#addresses.slice(0, turn)];
    const left = inTurn.filter((address) => !tried.has(address));
    const rested = left.filter(({ rests }) => !rests);
    const candidates = rested.length > 0 ? rested : left;
    return candidates.reduce<InferenceAddress | null>(
      (best, address) => (best === null || address.busy < best.busy ? address : best),
      null,
    );
  }
}

/** Whether the same address may do better over a new connection. */
function isWorthAnother(reply: Reply): boolean {
  return reply.kind === 'failed' && reply.broken;
}

function sooner(known: InferenceOverloaded | null, other: InferenceOverloaded) {
  return known === null || other.retryAfterSeconds < known.retryAfterSeconds ? other : known;
}

const unguarded: Guard = (operation, signal = new AbortController().signal) => operation(signal);

function merged(answers: readonly AnalyzerStatus[]): AnalyzerStatus {
  const ready = answers.filter((answer) => answer.ready);
  const [first] = ready.length > 0 ? ready : answers;
  const models = (ready.length > 0 ? ready : answers).flatMap((answer) => answer.models);
  const byTask = new Map(models.toReversed().map((model) => [model.task, model]));
  return {
    ready: ready.length > 0,
    provider: first!.provider,
    models: models.filter((model) => byTask.get(model.task) === model),
  };
}

function unavailable(cause: unknown): InferenceUnavailable {
  const sentence =
    cause instanceof WireVersionMismatch
      ? 'Inference is of another release than this process; try again later.'
      : 'Inference cannot be reached; try again later.';
  return new InferenceUnavailable(sentence, {}, { cause });
}
