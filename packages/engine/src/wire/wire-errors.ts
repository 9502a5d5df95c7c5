/** The bytes are not a message of the wire format, or a damaged one. */
export class MalformedMessage extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MalformedMessage';
  }
}

/**
 * The other process and this one have no version of the wire format in common, because their
 * releases are too far apart.
 */
export class WireVersionMismatch extends Error {
  readonly code = 'wire_version_unknown';
  readonly spoken: readonly number[];

  constructor(spoken: readonly number[], received: readonly number[]) {
    super(
      `This process uses version ${spoken.join(' or ')} of the inference format, the other one version ${received.join(' or ')}.`,
    );
    this.name = 'WireVersionMismatch';
    this.spoken = spoken;
  }
}
