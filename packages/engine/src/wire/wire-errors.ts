/** The error of bytes that are not a message of the wire format, or that are damaged. */
export class MalformedMessage extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MalformedMessage';
  }
}

/**
 * The error of two processes that have no version of the wire format in common, because their
 * releases are too far apart.
 */
export class WireVersionMismatch extends Error {
  readonly code = 'wire_version_unknown';
  readonly spoken: readonly number[];

  constructor(spoken: readonly number[], received: readonly number[]) {
    super(
      `This process uses version ${spoken.join(' or ')} of the inference format, but the other process uses version ${received.join(' or ')}.`,
    );
    this.name = 'WireVersionMismatch';
    this.spoken = spoken;
  }
}
