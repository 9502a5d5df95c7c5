import { Credential } from '@sightline/platform/resilience/credential';
import { exchangeToken } from './exchange-token.ts';
import { codeOf } from './s3-error.ts';
import type { S3Keys, S3Options } from './s3-options.ts';
import { TemporaryKeys, type TokenServiceObservers } from './temporary-keys.ts';

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

/** The S3 keys of this process, which may change while it runs. Several connections may share them. */
export class S3Identity {
  readonly #credential: Credential<S3Keys> | TemporaryKeys;

  /** @throws the error of `keys` */
  constructor(keys: S3Options['keys'], observers?: TokenServiceObservers) {
    this.#credential =
      typeof keys === 'function'
        ? new Credential(() => [keys()])
        : new TemporaryKeys(() => exchangeToken(keys), observers);
  }

  /** @throws TokenServiceFailed if there are no temporary keys */
  async keys(): Promise<S3Keys> {
    return this.#credential.current;
  }

  /**
   * Gets the keys again if the store has rejected them.
   *
   * @param refused the keys of the failed request
   * @returns whether `keys` now differs from `refused`, so that a retry may succeed
   */
  async renew(error: unknown, refused: S3Keys): Promise<boolean> {
    return INVALID.has(codeOf(error)) && this.#credential.renew(refused);
  }
}
