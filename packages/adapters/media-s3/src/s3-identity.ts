import { codeOf } from './s3-error.ts';
import type { S3Keys } from './s3-options.ts';

/** What an S3 answers to keys that are not, or no longer, valid. */
const INVALID = new Set([
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'InvalidTokenId',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
]);

/** Who this process is to an S3, which may change while it runs. */
export class S3Identity {
  readonly #readKeys: () => S3Keys;
  #keys: S3Keys;

  constructor(readKeys: () => S3Keys) {
    this.#readKeys = readKeys;
    this.#keys = readKeys();
  }

  get keys(): S3Keys {
    return this.#keys;
  }

  /**
   * Whether there are other keys than those at which the store has thrown this error. Of requests that
   * are refused at the same time, the first one finds them for all.
   */
  renew(error: unknown, refused: S3Keys): boolean {
    if (!INVALID.has(codeOf(error))) return false;
    if (!isSame(refused, this.#keys)) return true;
    const keys = readOrNull(this.#readKeys);
    if (keys === null || isSame(keys, this.#keys)) return false;
    this.#keys = keys;
    return true;
  }
}

/** Files that are being replaced may be missing for a moment. */
function readOrNull(readKeys: () => S3Keys): S3Keys | null {
  try {
    return readKeys();
  } catch {
    return null;
  }
}

function isSame(one: S3Keys, other: S3Keys): boolean {
  return (
    one.accessKey === other.accessKey &&
    one.secretKey === other.secretKey &&
    one.sessionToken === other.sessionToken
  );
}
