/** The content of one POST to a webhook. */
export interface OutgoingMessage {
  readonly url: string;
  /** UUIDv7; the same in every attempt. */
  readonly eventId: string;
  readonly body: Uint8Array;
  /** The current secret first, then the previous one. */
  readonly secrets: readonly string[];
}

export interface SendResult {
  /** Whether the endpoint answered 2xx. */
  readonly ok: boolean;
  /** Null without an answer. */
  readonly statusCode: number | null;
  readonly durationMs: number;
  /** One line, without anything of the answer's body. */
  readonly error: string | null;
  /** When the endpoint asked to be called again, in ms from now; null: it did not. */
  readonly retryAfterMs: number | null;
}

/** Sends a message once. Rejects only with the signal's reason. */
export type SendMessage = (message: OutgoingMessage, signal?: AbortSignal) => Promise<SendResult>;
