import { createHash } from 'node:crypto';
import { matchesEntityTag } from '../media/entity-tag.ts';

/** A document that is the same for all callers: a text, or a value that is sent as JSON. */
export class SerializedDocument<T> {
  readonly bytes: Buffer;
  readonly etag: string;
  /** Only for the type. */
  declare readonly value?: T;

  constructor(value: T) {
    this.bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
    this.etag = `"${createHash('sha256').update(this.bytes).digest('base64url')}"`;
  }
}

interface DocumentRequest {
  readonly 'if-none-match'?: string | undefined;
}

/** Answers with a document, or with 304 if the caller has it. */
export function answerDocument<T>(
  document: SerializedDocument<T>,
  { 'if-none-match': known }: DocumentRequest,
  more: Readonly<Record<string, string>> = {},
) {
  const headers = { ...more, ETag: document.etag, 'Cache-Control': 'no-cache' };
  if (matchesEntityTag(known, document.etag)) {
    return { status: 304, body: undefined, headers } as const;
  }
  return { status: 200, body: document, headers } as const;
}
