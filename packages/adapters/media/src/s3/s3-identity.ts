import { codeOf } from './s3-error.ts';
import type { S3Keys } from './s3-options.ts';

/** The error codes of S3 stores for keys that are wrong or have expired. */
const INVALID = new Set([
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'InvalidTokenId',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
]);

/** The S3 keys of this process, which may change while it runs. */
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
   * Reads the keys again if the store has rejected them.
   *
   * @param refused the keys of the failed request
   * @returns whether `keys` now differs from `refused`, so that a retry may succeed. Of concurrent requests, only the
   *   first reads the keys again; the others use what it has read.
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

/** Returns null if the keys cannot be read, because their files may be missing for a moment while they are replaced. */
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
