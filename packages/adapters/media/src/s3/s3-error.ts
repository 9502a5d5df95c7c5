import { type StoreRefusal, StoreUnavailable } from '@sightline/core/store/store-errors';
import {
  connectionFault,
  type ConnectionFault,
} from '@sightline/platform/resilience/connection-fault';

export class SilentStore extends Error {
  readonly code = 'SILENT';
}

/** The store answered with the status of a transient failure. */
export class OverloadedStore extends Error {
  readonly code: string;

  constructor(status: number) {
    super();
    this.code = `HTTP_${status}`;
  }
}

/** The token service issued no keys. The code is one of {@link SENTENCES}, or that of the service's refusal. */
export class TokenServiceFailed extends Error {
  override readonly name = 'TokenServiceFailed';
  readonly code: string;

  constructor(code: string) {
    super(`token service: ${code}`);
    this.code = code;
  }
}

/**
 * An error code of the store or the operating system, for the log. The SDK's own errors are not logged, because they
 * contain the access key, the signed text and addresses.
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
const NO_BUCKET = 'The bucket does not exist in the media store.';
const FULL = 'The media store is full.';
const BAD_NAME = 'The media store does not allow a bucket of this name.';
const NO_S3 = 'The media store does not answer like an S3 server.';

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
  NoSuchBucket: NO_BUCKET,
  InvalidBucketName: BAD_NAME,
  // The SDK's own name for an invalid bucket name.
  InvalidBucketNameError: BAD_NAME,
  // MinIO has one code for a full disk and one for a bucket's quota, and Ceph has a third. Other stores use status 507.
  XMinioStorageFull: FULL,
  XMinioAdminBucketQuotaExceeded: FULL,
  QuotaExceeded: FULL,
  InsufficientStorage: FULL,
  AuthorizationHeaderMalformed: 'The bucket is in another region.',
  IllegalLocationConstraintException: 'The bucket is in another region.',
  PermanentRedirect: 'The bucket is in another region.',
  MovedPermanently: 'The bucket is in another region.',
  STS_UNAVAILABLE: 'The token service of the media store does not answer.',
  STS_UNREACHABLE: 'The token service of the media store cannot be reached.',
  STS_NO_TLS: 'The token service of the media store does not speak TLS.',
  STS_UNTRUSTED: "The certificate of the media store's token service is not trusted.",
  STS_OTHER_HOST: "The certificate of the media store's token service is for another host.",
  NO_STS: 'The token service of the media store does not answer like one.',
  NO_WEB_IDENTITY: 'The file with the web identity token cannot be read.',
  // The code of Node's agent for a proxy that refuses a tunnel or closes the connection.
  ERR_PROXY_TUNNEL: 'The proxy does not connect to the media store.',
  // The SDK's name for an XML document that lacks the expected element.
  InvalidXMLError: NO_S3,
  // The code of `wholeSize` for a response without the object's size.
  InvalidLength: NO_S3,
  // The code of Node's HTTP parser for a server that does not speak HTTP.
  HPE_INVALID_CONSTANT: NO_S3,
};

/** The beginning of the codes of refusals by the token service. */
const TOKEN_REFUSAL = 'STS_REFUSED_';
const TOKEN_REFUSED = 'The token service of the media store refuses the web identity.';

const REFUSALS: Readonly<Record<string, StoreRefusal>> = {
  [REFUSED]: 'access_denied',
  [TOKEN_REFUSED]: 'access_denied',
  [NO_BUCKET]: 'not_found',
};

const NO_CONNECTION: Readonly<Record<ConnectionFault, string>> = {
  unreachable: 'The media store cannot be reached.',
  no_tls: 'The media store does not speak TLS.',
  untrusted: "The media store's certificate is not trusted.",
  other_host: "The media store's certificate is for another host.",
};

/**
 * The codes of failures after which a retry may succeed: the store is overloaded, or it closed an idle connection
 * just before the request.
 */
const TRANSIENT = /^(HTTP_\d+|ECONNRESET|EPIPE)$/;

/** Whether a retry may succeed. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.test(codeOf(error));
}

/**
 * Runs an operation on the store unless the signal is aborted.
 *
 * @throws StoreUnavailable for every error of the SDK, with an S3Failure as its cause; the signal's reason on abort
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

/** Converts an error of the SDK or the operating system. A StoreUnavailable is returned unchanged. */
export function toStoreUnavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const code = codeOf(error);
  const sentence = sentenceOf(code);
  const refusal = REFUSALS[sentence] ?? null;
  return new StoreUnavailable(sentence, {}, { refusal, cause: new S3Failure(code) });
}

function sentenceOf(code: string): string {
  const fault = connectionFault(code);
  if (fault !== null) return NO_CONNECTION[fault];
  if (code.startsWith(TOKEN_REFUSAL)) return TOKEN_REFUSED;
  return SENTENCES[code] ?? 'The media store failed.';
}

/** Returns the code of the S3 failure that caused a StoreUnavailable; undefined for other errors. */
export function failureOf(error: unknown): string | undefined {
  if (!(error instanceof StoreUnavailable)) return undefined;
  return error.cause instanceof S3Failure ? error.cause.code : undefined;
}

/** Whether the store refused a request because it is full. */
export function isFull(error: unknown): error is StoreUnavailable {
  return SENTENCES[failureOf(error) ?? ''] === FULL;
}

/** Returns the code of an error. The form is checked, because in a parsed response the members may contain any text. */
export function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return 'unknown';
  // An error in a response with status 200 is a parsed XML document, in which the member is `Code`.
  const { code, Code, name } = error as Readonly<Record<string, unknown>>;
  for (const text of [code, Code, name]) {
    if (typeof text === 'string' && /^[A-Za-z0-9_]{2,64}$/.test(text)) return text;
  }
  return 'unknown';
}
