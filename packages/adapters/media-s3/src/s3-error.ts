import { StoreUnavailable } from '@sightline/core/store/store-errors';
import {
  connectionFault,
  type ConnectionFault,
} from '@sightline/platform/resilience/connection-fault';

/** Nothing came for too long. */
export class SilentStore extends Error {
  readonly code = 'SILENT';
}

/** The store answered that it cannot now. */
export class OverloadedStore extends Error {
  readonly code: string;

  constructor(status: number) {
    super();
    this.code = `HTTP_${status}`;
  }
}

/**
 * What went wrong, for the log: a code of the store or of the system. The SDK's errors hold more than
 * a log should have: the access key, what was signed, addresses.
 */
export class S3Failure extends Error {
  override readonly name = 'S3Failure';
  readonly code: string;

  constructor(code: string) {
    super(`S3: ${code}`);
    this.code = code;
  }
}

const REFUSED = 'The media store refuses these credentials.';
const FULL = 'The media store is full.';
const BAD_NAME = 'The media store takes no bucket of this name.';
const NO_S3 = 'The media store does not answer like an S3.';

const SENTENCES: Readonly<Record<string, string>> = {
  SILENT: 'The media store does not answer.',
  HANGS: 'The media store does not answer.',
  AccessDenied: REFUSED,
  InvalidAccessKeyId: REFUSED,
  SignatureDoesNotMatch: REFUSED,
  ExpiredToken: REFUSED,
  InvalidToken: REFUSED,
  InvalidTokenId: REFUSED,
  TokenRefreshRequired: REFUSED,
  RequestTimeTooSkewed: "The media store's clock and this machine's are too far apart.",
  NoSuchBucket: 'The media store has no such bucket.',
  InvalidBucketName: BAD_NAME,
  // The SDK's name for it.
  InvalidBucketNameError: BAD_NAME,
  // MinIO's, at its limit or a bucket's quota; Ceph's at a quota; and what others call their 507.
  XMinioStorageFull: FULL,
  XMinioAdminBucketQuotaExceeded: FULL,
  QuotaExceeded: FULL,
  InsufficientStorage: FULL,
  AuthorizationHeaderMalformed: 'The media store is of another region.',
  IllegalLocationConstraintException: 'The media store is of another region.',
  PermanentRedirect: 'The media store is of another region.',
  MovedPermanently: 'The media store is of another region.',
  // The SDK's name for a document without what it looks for.
  InvalidXMLError: NO_S3,
  // Ours, for an object of a size that nobody tells.
  InvalidLength: NO_S3,
  // The parser of node's HTTP met something else.
  HPE_INVALID_CONSTANT: NO_S3,
};

const NO_CONNECTION: Readonly<Record<ConnectionFault, string>> = {
  unreachable: 'The media store cannot be reached.',
  no_tls: 'The media store does not speak TLS.',
  untrusted: "The media store's certificate is not trusted.",
  other_host: "The media store's certificate is that of another host.",
};

/** Failures that a second attempt may not meet. */
const PASSING = /^(HTTP_\d+|ECONNRESET|EPIPE)$/;

/** Asked for again once: S3 refuses now and then, and a kept connection may just have been closed. */
export function isPassing(error: unknown): boolean {
  return PASSING.test(codeOf(error));
}

/**
 * Does something with the store unless the signal is aborted.
 *
 * @throws StoreUnavailable for whatever the SDK throws, with an S3Failure as its cause; the signal's
 *   reason on abort
 */
export async function withStoreErrors<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    throw toStoreUnavailable(error);
  }
}

/** What callers hear of an error of the SDK or the system; one that is a StoreUnavailable stays it. */
export function toStoreUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const code = codeOf(error);
  return new StoreUnavailable(sentenceOf(code), {}, { cause: new S3Failure(code) });
}

function sentenceOf(code: string): string {
  const fault = connectionFault(code);
  if (fault !== null) return NO_CONNECTION[fault];
  return SENTENCES[code] ?? 'The media store failed.';
}

/** The S3 code of a StoreUnavailable, or what the system called it. */
export function failureOf(error: unknown): string | undefined {
  if (!(error instanceof StoreUnavailable)) return undefined;
  return error.cause instanceof S3Failure ? error.cause.code : undefined;
}

/** Whether the store refused something because it has no room for it. */
export function isFull(error: unknown): error is StoreUnavailable {
  return SENTENCES[failureOf(error) ?? ''] === FULL;
}

/** A code, never a text: what is called so in the answer of a stranger may hold anything. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  // Errors inside of an answer with status 200 are the parsed document, with its capital letters.
  const { code, Code, name } = error as Readonly<Record<string, unknown>>;
  for (const text of [code, Code, name]) {
    if (typeof text === 'string' && /^[A-Za-z0-9_]{2,64}$/.test(text)) return text;
  }
  return 'unknown';
}
