import { Credential } from '@sightline/platform/resilience/credential';
import { codeOf } from './s3-error.ts';
import type { S3Keys } from './s3-options.ts';

/** The error codes of S3 stores for keys that are wrong, deleted or have expired. */
const INVALID = new Set([
  'AccessDenied',
  'ExpiredToken',
  'InvalidAccessKeyId',
  'InvalidToken',
  'InvalidTokenId',
  'SignatureDoesNotMatch',
  'TokenRefreshRequired',
]);

/** The S3 keys of this process, which may change while it runs. */
export class S3Identity {
  readonly #credential: Credential<S3Keys>;

  /** @throws the error of `readKeys` */
  constructor(readKeys: () => S3Keys) {
    this.#credential = new Credential(() => [readKeys()]);
  }

  get keys(): S3Keys {
    return this.#credential.current;
  }

  /**
   * Reads the keys again if the store has rejected them.
   *
   * @param refused the keys of the failed request
   * @returns whether `keys` now differs from `refused`, so that a retry may succeed
   */
  renew(error: unknown, refused: S3Keys): boolean {
    return INVALID.has(codeOf(error)) && this.#credential.renew(refused);
  }
}
