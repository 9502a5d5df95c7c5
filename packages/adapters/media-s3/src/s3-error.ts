import { StoreUnavailable } from '@sightline/core/store/store-errors';

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

const UNREACHABLE = 'The media store cannot be reached.';
const REFUSED = 'The media store refuses these credentials.';
const FULL = 'The media store is full.';
const BAD_NAME = 'The media store takes no bucket of this name.';
const NO_S3 = 'The media store does not answer like an S3.';

const SENTENCES: Readonly<Record<string, string>> = {
  SILENT: 'The media store does not answer.',
  HANGS: 'The media store does not answer.',
  ECONNREFUSED: UNREACHABLE,
  ECONNRESET: UNREACHABLE,
  EHOSTUNREACH: UNREACHABLE,
  ENETUNREACH: UNREACHABLE,
  ENOTFOUND: UNREACHABLE,
  EAI_AGAIN: UNREACHABLE,
  ETIMEDOUT: UNREACHABLE,
  EPIPE: UNREACHABLE,
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
  XMinioStorageFull: FULL,
  XMinioAdminBucketQuotaExceeded: FULL,
  AuthorizationHeaderMalformed: 'The media store is of another region.',
  IllegalLocationConstraintException: 'The media store is of another region.',
  PermanentRedirect: 'The media store is of another region.',
  MovedPermanently: 'The media store is of another region.',
  // The SDK's name for a document without what it looks for.
  InvalidXMLError: NO_S3,
  // Ours, for an object of a size that nobody tells.
  InvalidLength: NO_S3,
  EPROTO: 'The media store does not speak TLS.',
  // The parser of node's HTTP met something else.
  HPE_INVALID_CONSTANT: NO_S3,
  DEPTH_ZERO_SELF_SIGNED_CERT: "The media store's certificate is not trusted.",
  SELF_SIGNED_CERT_IN_CHAIN: "The media store's certificate is not trusted.",
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: "The media store's certificate is not trusted.",
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "The media store's certificate is not trusted.",
  CERT_HAS_EXPIRED: "The media store's certificate is not trusted.",
  ERR_TLS_CERT_ALTNAME_INVALID: "The media store's certificate is that of another host.",
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
  const sentence = SENTENCES[code] ?? 'The media store failed.';
  return new StoreUnavailable(sentence, {}, { cause: new S3Failure(code) });
}

/** The S3 code of a StoreUnavailable, or what the system called it. */
export function failureOf(error: unknown): string | undefined {
  if (!(error instanceof StoreUnavailable)) return undefined;
  return error.cause instanceof S3Failure ? error.cause.code : undefined;
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
