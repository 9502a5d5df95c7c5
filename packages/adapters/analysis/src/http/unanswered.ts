import {
  AnalysisFailed,
  InferenceLost,
  type InferenceOverloaded,
  InferenceUnavailable,
  type ModelNotHere,
} from '@sightline/core/models/model-errors';
import { WireVersionMismatch } from '@sightline/engine/wire/wire-errors';
import type { Reply } from './inference-address.ts';

/** The number of failed attempts after which a request fails: the first attempt and one retry. */
const MAX_FAILURES = 2;

const UNREACHABLE = 'Inference cannot be reached; try again later.';

/** Collects the replies that were no answer to a request, and decides which error the caller gets. */
export class Unanswered {
  readonly #failures: unknown[] = [];
  #full: InferenceOverloaded | null = null;
  #notHere: ModelNotHere | null = null;
  #otherWire: WireVersionMismatch | null = null;
  /** The error of the connection that ended before the response; null if there was none. */
  #lost: InferenceLost | null = null;

  add(
    reply: Extract<Reply, { readonly kind: 'overloaded' | 'not_here' | 'unusable' | 'failed' }>,
  ): void {
    if (reply.kind === 'overloaded') this.#full = sooner(this.#full, reply.error);
    else if (reply.kind === 'not_here') this.#notHere = reply.error;
    else if (reply.kind === 'unusable') this.#otherWire = reply.error;
    else {
      this.#failures.push(reply.error);
      if (reply.connection === 'other') return;
      const wasAlone =
        reply.connection === 'broken_alone' || this.#lost?.crash === 'inference_alone';
      const crash = wasAlone ? 'inference_alone' : 'inference';
      this.#lost = new InferenceLost(UNREACHABLE, { crash, cause: reply.error });
    }
  }

  /** Whether the request has failed too often to be sent again. */
  get isFinal(): boolean {
    return this.#failures.length === MAX_FAILURES;
  }

  /** The overload error with the shortest time until a retry; null if no address was overloaded. */
  get full(): InferenceOverloaded | null {
    return this.#full;
  }

  /**
   * The error for the caller. The death of the worker thread that analyzed only this image comes first. A lost connection
   * is more likely to be the fault of another image, so it counts only if the retry failed, too, or if no other address
   * was merely full. Missing models are only reported if no address failed, because a failed one may have them.
   */
  get error(): Error {
    const died = this.#failures.find((failure) => failure instanceof AnalysisFailed);
    if (died !== undefined) return died;
    if (this.#full !== null && !(this.#lost !== null && this.isFinal)) return this.#full;
    if (this.#lost !== null) return this.#lost;
    if (this.#notHere !== null && this.#failures.length === 0) return this.#notHere;
    return unavailable(this.#failures.at(-1) ?? this.#otherWire);
  }
}

/**
 * Returns the error for a failed request. An `AnalysisFailed` is returned unchanged, because the image may have
 * caused it.
 */
export function unavailable(cause: unknown): InferenceUnavailable {
  if (cause instanceof AnalysisFailed) return cause;
  const sentence =
    cause instanceof WireVersionMismatch
      ? 'The inference process runs another release; try again later.'
      : UNREACHABLE;
  return new InferenceUnavailable(sentence, {}, { cause });
}

function sooner(known: InferenceOverloaded | null, other: InferenceOverloaded) {
  return known === null || other.retryAfterSeconds < known.retryAfterSeconds ? other : known;
}
