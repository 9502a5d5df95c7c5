import { createHash } from 'node:crypto';

/** A document that is the same for all callers: a text, or a value that is sent as JSON. */
export class SerializedDocument<T> {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Never set. The declaration gives documents of different values different types. */
  declare readonly value?: T;

  constructor(value: T) {
    this.bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    this.etag = `"${createHash('sha256').update(this.bytes).digest('base64url')}"`;
  }
}
