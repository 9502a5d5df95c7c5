import type { SerializedDocument } from '../context/serialized-document.ts';
import { matchesEntityTag } from '../media/entity-tag.ts';

interface DocumentRequest {
  readonly 'if-none-match'?: string | undefined;
}

/** Answers with a document, or with 304 if the caller's `If-None-Match` names the document's entity tag. */
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
