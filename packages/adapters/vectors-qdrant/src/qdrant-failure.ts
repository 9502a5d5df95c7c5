import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import {
  connectionFault,
  type ConnectionFault,
} from '@sightline/platform/resilience/connection-fault';

/**
 * What went wrong, for the log: a code of the system, or the status of an answer. The client's errors
 * hold what the server said, which may be anything.
 */
export class QdrantFailure extends Error {
  override readonly name = 'QdrantFailure';
  readonly code: string;

  constructor(code: string) {
    super(`Qdrant: ${code}`);
    this.code = code;
  }
}

const SILENT = 'The index of vectors does not answer.';
const REFUSED = 'The index of vectors refuses the API key, or what is done with it.';
const OVERLOADED = 'The index of vectors is overloaded.';
const NO_QDRANT = 'What should be the index of vectors does not answer like Qdrant.';

const SENTENCES: Readonly<Record<string, string>> = {
  TIMEOUT: SILENT,
  FULL: 'The index of vectors has no space left.',
  NO_QDRANT,
  HTTP_401: REFUSED,
  HTTP_403: REFUSED,
  HTTP_408: SILENT,
  HTTP_429: OVERLOADED,
  HTTP_503: OVERLOADED,
};

const NO_CONNECTION: Readonly<Record<ConnectionFault, string>> = {
  unreachable: 'The index of vectors cannot be reached.',
  no_tls: 'The index of vectors does not speak TLS.',
  untrusted: 'The certificate of the index of vectors is not trusted.',
  other_host: 'The certificate of the index of vectors is that of another host.',
};

const UNKNOWN = 'unknown';

/** A kept connection may just have been closed: a second attempt opens another. */
const PASSING = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', UNKNOWN]);

/** How a server without space left says so; it has no status of its own for that. */
const FULL = /no space left|out of disk/i;

/** @param code of {@link codeOf} */
export function unavailable(code: string): VectorsUnavailable {
  return new VectorsUnavailable(sentenceOf(code), {}, { cause: new QdrantFailure(code) });
}

function sentenceOf(code: string): string {
  const fault = connectionFault(code);
  if (fault !== null) return NO_CONNECTION[fault];
  return SENTENCES[code] ?? 'The index of vectors failed.';
}

export function isPassing(code: string): boolean {
  return PASSING.has(code);
}

/** The status of an answer that the client takes for an error; undefined where none came. */
export function statusOf(error: unknown): number | undefined {
  const { status } = fieldsOf(error);
  if (typeof status === 'number') return status;
  // The client has a class of its own for 429 with a Retry-After, which keeps no status.
  return 'retry_after' in fieldsOf(error) ? 429 : undefined;
}

/** A code, never a text. */
export function codeOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return isFull(error) ? 'FULL' : `HTTP_${status}`;
  // fetch wraps what the system said.
  for (const { code } of [fieldsOf(fieldsOf(error).cause), fieldsOf(error)]) {
    if (typeof code === 'string' && /^[A-Z0-9_]{2,64}$/.test(code)) return code;
  }
  return UNKNOWN;
}

function isFull(error: unknown): boolean {
  const { error: text } = fieldsOf(fieldsOf(fieldsOf(error).data).status);
  return typeof text === 'string' && FULL.test(text);
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
