/**
 * A target that the service never calls, whatever the reason: one text for all of them, so that the
 * answer tells nothing about the network.
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

/** There is more than the caller wants; counted on decoded bytes. */
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
