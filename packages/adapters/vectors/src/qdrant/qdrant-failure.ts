import { VectorsUnavailable } from '@sightline/core/vectors/vectors-unavailable';
import {
  connectionFault,
  type ConnectionFault,
} from '@sightline/platform/resilience/connection-fault';

/**
 * A failed request, for the log: with the error code of the system, or the status of the response. The client's errors
 * are not logged, because they contain the response, which may be anything.
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

/** A kept-alive connection may just have been closed; a retry opens another. */
const TRANSIENT = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', UNKNOWN]);

/** Texts of a server whose disk takes no data; it answers them with status 500. */
const DISK_FAULTS: Readonly<Record<string, RegExp>> = {
  FULL: /no space left|out of disk/i,
  READ_ONLY: /read-only file system/i,
};

/** @param code from {@link codeOf} */
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
  // The client's own class for 429 with Retry-After does not keep the status.
  return 'retry_after' in fieldsOf(error) ? 429 : undefined;
}

/** An error code without free text. */
export function codeOf(error: unknown): string {
  const status = statusOf(error);
  if (status !== undefined) return diskFaultOf(error) ?? `HTTP_${status}`;
  // fetch wraps the system's error.
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
