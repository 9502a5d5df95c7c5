import type { Scope } from '../store/scope.ts';

/** The content of one POST to a webhook of an environment. */
export interface OutgoingMessage extends Scope {
  readonly url: string;
  /** A UUIDv7, which is the same in all attempts. */
  readonly eventId: string;
  readonly body: Uint8Array;
  /** The current secret, then the previous one if it is still valid. */
  readonly secrets: readonly string[];
}

export interface SendResult {
  /** Whether the endpoint answered 2xx. */
  readonly ok: boolean;
  /** Null if the endpoint did not answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** One line that contains nothing of the answer's body; null if the attempt succeeded. */
  readonly error: string | null;
  /** The endpoint's `Retry-After`, in ms from now; null if the endpoint sent none. */
  readonly retryAfterMs: number | null;
}

/** Sends a message once. Rejects only with the signal's reason. */
export type SendMessage = (message: OutgoingMessage, signal?: AbortSignal) => Promise<SendResult>;
