/**
 * The service does not send requests to the target. The message is the same for all reasons, so that the response
 * reveals nothing about the network.
 */
export class TargetRefused extends Error {
  constructor() {
    super(
      'This target is not allowed: use an http or https URL whose host has no reserved address and does not belong to this installation.',
    );
    this.name = 'TargetRefused';
  }
}

export type FetchFailure =
  'unreachable' | 'proxy' | 'redirects' | 'credentials' | 'status' | 'broken_body';

/** The target is allowed, but the request failed. The message is written for the caller of the API. */
export class FetchFailed extends Error {
  readonly reason: FetchFailure;

  constructor(reason: FetchFailure, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'FetchFailed';
    this.reason = reason;
  }
}

export class FetchTooLarge extends Error {
  constructor(maxBytes: number) {
    super(`The target's response is larger than ${maxBytes} bytes.`);
    this.name = 'FetchTooLarge';
  }
}

export class FetchTimeout extends Error {
  constructor(timeoutMs: number) {
    super(`The target did not send its whole response within ${timeoutMs / 1000} seconds.`);
    this.name = 'FetchTimeout';
  }
}

/** The memory for a body was not granted. The reason is the error of the one who grants it. */
export class NotTaken extends Error {
  readonly reason: unknown;

  constructor(reason: unknown) {
    super('The memory for the body was not granted.');
    this.name = 'NotTaken';
    this.reason = reason;
  }
}

const OUTGOING_ERRORS = [TargetRefused, FetchFailed, FetchTooLarge, NotTaken];

/** Whether an error is one of this module. A timeout is not: the one who sets it recognizes it. */
export function isOutgoingError(error: unknown): boolean {
  return OUTGOING_ERRORS.some((type) => error instanceof type);
}
