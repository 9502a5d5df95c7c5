/** Bytes that are no message of the wire format, or a damaged one. */
export class MalformedMessage extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'MalformedMessage';
  }
}

/** The other side speaks another version of the wire format: processes of two releases meet. */
export class WireVersionMismatch extends Error {
  readonly spoken: number;
  readonly received: number;

  constructor(spoken: number, received: number) {
    super(
      `This process speaks version ${spoken} of the inference format, the other one version ${received}.`,
    );
    this.name = 'WireVersionMismatch';
    this.spoken = spoken;
    this.received = received;
  }
}
