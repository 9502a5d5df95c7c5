/**
 * The service refuses to call the target. All reasons have the same text, so that the answer reveals nothing about the
 * network.
 */
export class TargetRefused extends Error {
  constructor() {
    super('This target is not allowed.');
    this.name = 'TargetRefused';
  }
}

export type FetchFailure = 'unreachable' | 'redirects' | 'status' | 'broken_body';

/** The target is allowed, but the request failed; the message is for the caller. */
export class FetchFailed extends Error {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchFailed';
    this.reason = reason;
  }
}

/** The decoded body exceeds the limit of the caller. */
export class FetchTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The target's answer is larger than ${maxBytes} bytes.`);
    this.name = 'FetchTooLarge';
  }
}

/** Connecting, head and body together took too long. */
export class FetchTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`The target did not answer in full within ${timeoutMs / 1000} seconds.`);
    this.name = 'FetchTimeout';
  }
}
