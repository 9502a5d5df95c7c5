/** The bytes are not a message of the wire format, or a damaged one. */
export class MalformedMessage extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MalformedMessage';
  }
}

/**
 * The other process uses another version of the wire format, because it belongs to another release.
 */
export class WireVersionMismatch extends Error {
  readonly spoken: number;
  readonly received: number;

  constructor(spoken: number, received: number) {
    super(
      `This process uses version ${spoken} of the inference format, the other one version ${received}.`,
    );
    this.name = 'WireVersionMismatch';
    this.spoken = spoken;
    this.received = received;
  }
}
