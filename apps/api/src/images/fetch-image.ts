import { ImageFetchFailed, ImageTooLarge } from '@sightline/core/sources/image-errors';
import type { FetchLimits, GuardedFetch } from '@sightline/platform/outgoing/guarded-fetch';
import {
  FetchFailed,
  FetchTimeout,
  FetchTooLarge,
  TargetRefused,
} from '@sightline/platform/outgoing/outgoing-errors';

/**
 * Fetches the image at a URL from a caller, under the rules for outgoing requests. The bytes have a
 * buffer of their own.
 *
 * @throws ImageFetchFailed, with the same text for all refusals; ImageTooLarge; the signal's reason.
 */
export type FetchImage = (url: string, limits: FetchLimits) => Promise<Uint8Array<ArrayBuffer>>;

export function createFetchImage(outgoing: Pick<GuardedFetch, 'bytes'>): FetchImage {
  return async (url, limits) => {
    try {
      return await outgoing.bytes(url, limits);
    } catch (error) {
      throw asImageError(error);
    }
  };
}

function asImageError(error: unknown): unknown {
  if (error instanceof FetchTooLarge) {
    return new ImageTooLarge(error.message, {}, { cause: error });
  }
  if (
    error instanceof TargetRefused ||
    error instanceof FetchFailed ||
    error instanceof FetchTimeout
  ) {
    return new ImageFetchFailed(error.message, {}, { cause: error });
  }
  return error;
}
