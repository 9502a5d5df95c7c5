import { Credential } from '@sightline/platform/resilience/credential';
import { exchangeToken } from './exchange-token.ts';
import { codeOf } from './s3-error.ts';
import type { OutageLogger, S3Keys, S3Options } from './s3-options.ts';
import { TemporaryKeys } from './temporary-keys.ts';

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
  readonly #credential: Credential<S3Keys> | TemporaryKeys;

  /** @throws the error of `keys` */
  constructor(keys: S3Options['keys'], logger?: OutageLogger) {
    this.#credential =
      typeof keys === 'function'
        ? new Credential(() => [keys()])
        : new TemporaryKeys(() => exchangeToken(keys), { logger });
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
