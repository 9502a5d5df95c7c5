import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import {
  connectionFault,
  type ConnectionFault,
} from '@sightline/platform/resilience/connection-fault';

/**
 * A failed request. The message has only the system's error code or the HTTP status. Errors of the client are not
 * logged, because they contain the response.
 */
export class QdrantFailure extends Error {
  override readonly name = 'QdrantFailure';
  readonly code: string;

  constructor(code: string) {
    super(`Qdrant: ${code}`);
    this.code = code;
  }
}

const TIMED_OUT = 'The vector index timed out.';
const FORBIDDEN = 'The vector index rejects the API key, or the key lacks a permission.';
const OVERLOADED = 'The vector index is overloaded.';
const NO_QDRANT = 'The server at the address of the vector index is not Qdrant.';

const SENTENCES: Readonly<Record<string, string>> = {
  TIMEOUT: TIMED_OUT,
  FULL: 'The vector index has no disk space left.',
  READ_ONLY: 'The disk of the vector index is read-only.',
  NO_QDRANT,
  HTTP_401: FORBIDDEN,
  HTTP_403: FORBIDDEN,
  HTTP_408: TIMED_OUT,
  HTTP_429: OVERLOADED,
  HTTP_503: OVERLOADED,
};

const NO_CONNECTION: Readonly<Record<ConnectionFault, string>> = {
  unreachable: 'The vector index cannot be reached.',
  no_tls: 'The vector index does not use TLS.',
  untrusted: 'The certificate of the vector index is not trusted.',
  other_host: 'The certificate of the vector index belongs to another host.',
};

const UNKNOWN = 'unknown';

/** Errors of a connection that the server may just have closed. A retry opens another connection. */
const TRANSIENT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', UNKNOWN]);

/** Parts of the messages that Qdrant sends with status 500 if its disk cannot be written. */
const DISK_FAULTS: Readonly<Record<string, RegExp>> = {
  FULL: /no space left|out of disk/i,
  READ_ONLY: /read-only file system/i,
};

/** @param code an error code from {@link codeOf} */
export function unavailable(code: string): VectorsUnavailable {
  return new VectorsUnavailable(sentenceOf(code), {}, { cause: new QdrantFailure(code) });
}

function sentenceOf(code: string): string {
  const fault = connectionFault(code);
  if (fault !== null) return NO_CONNECTION[fault];
  return SENTENCES[code] ?? 'The vector index failed.';
}

export function isTransient(code: string): boolean {
  return TRANSIENT.has(code);
}

/** The HTTP status of an error response; undefined if there was no response. */
export function statusOf(error: unknown): number | undefined {
  const { status } = fieldsOf(error);
  if (typeof status === 'number') return status;
  // The client's error for status 429 with `Retry-After` lacks the status.
  return 'retry_after' in fieldsOf(error) ? 429 : undefined;
}

/** A short error code, which contains no text of the response. */
export function codeOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return diskFaultOf(error) ?? `HTTP_${status}`;
  // `fetch` wraps the system's error as its cause.
  for (const { code } of [fieldsOf(fieldsOf(error).cause), fieldsOf(error)]) {
    if (typeof code === 'string' && /^[A-Z0-9_]{2,64}$/.test(code)) return code;
  }
  return UNKNOWN;
}

function diskFaultOf(error: unknown): string | undefined {
  const { error: text } = fieldsOf(fieldsOf(fieldsOf(error).data).status);
  if (typeof text !== 'string') return undefined;
  return Object.keys(DISK_FAULTS).find((code) => DISK_FAULTS[code]!.test(text));
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
