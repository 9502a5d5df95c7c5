import type { FetchImage } from '@sightline/core/sources/fetch-image';
import { ImageFetchFailed, ImageTooLarge } from '@sightline/core/sources/image-errors';
import { errorCodes } from '@sightline/platform/errors/error-codes';
import type { Logger } from '@sightline/platform/logging/logger';
import type { GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import {
  FetchFailed,
  FetchTimeout,
  FetchTooLarge,
  TargetRefused,
} from '@sightline/platform/outgoing/outgoing-errors';

/** @param deps.logger receives the causes of failures, which callers must not see */
export function createFetchImage(deps: {
  readonly outgoing: Pick<GuardedFetch, 'bytes'>;
  readonly logger: Logger;
}): FetchImage {
  return async (url, limits) => {
    try {
      return await deps.outgoing.bytes(url, limits);
    } catch (error) {
      if (error instanceof FetchTooLarge) {
        throw new ImageTooLarge(error.message, {}, { cause: error });
      }
      if (!isFailedFetch(error)) throw error;
      // Only the host is logged, because other parts of the URL may contain secrets.
      const about = { host: URL.parse(url)?.host, reason: error.message };
      const cause = error.cause === undefined ? {} : { cause: errorCodes(error.cause) };
      deps.logger.info(Object.assign(about, cause), 'an image could not be fetched');
      throw new ImageFetchFailed(error);
    }
  };
}

function isFailedFetch(error: unknown): error is Error {
  return (
    error instanceof TargetRefused || error instanceof FetchFailed || error instanceof FetchTimeout
  );
}
