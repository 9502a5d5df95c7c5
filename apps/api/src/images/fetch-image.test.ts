import { describe, expect, test } from '@jest/globals';
import { ImageFetchFailed, ImageTooLarge } from '@sightline/core/sources/image-errors';
import type { FetchLimits } from '@sightline/platform/outgoing/guarded-fetch';
import {
  FetchFailed,
  FetchTimeout,
  FetchTooLarge,
  TargetRefused,
} from '@sightline/platform/outgoing/outgoing-errors';
import { createFetchImage } from './fetch-image.ts';

const { signal } = new AbortController();
const LIMITS: FetchLimits = { maxBytes: 1000, timeoutMs: 10_000, signal };

function fetchThatFails(error: Error) {
  return createFetchImage({ bytes: () => Promise.reject(error) });
}

describe('an image that is fetched', () => {
  test('has the given limits', async () => {
    let limits: FetchLimits | undefined;
    const fetchImage = createFetchImage({
      bytes: (_url, given) => {
        limits = given;
        return Promise.resolve(Uint8Array.of(1));
      },
    });
    await expect(fetchImage('http://a.test/', LIMITS)).resolves.toEqual(Uint8Array.of(1));
    expect(limits).toEqual(LIMITS);
  });

  test.each([
    new TargetRefused(),
    new FetchFailed('status', 'The target answered with status 404.'),
    new FetchTimeout(10_000),
  ])('cannot be fetched: %s', async (error) => {
    const failure = await fetchThatFails(error)('http://a.test/', LIMITS).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(ImageFetchFailed);
    expect(failure).toMatchObject({ message: error.message });
  });

  test('is too large', async () => {
    await expect(fetchThatFails(new FetchTooLarge(5))('http://a.test/', LIMITS)).rejects.toThrow(
      ImageTooLarge,
    );
  });

  test('passes an abort on unchanged', async () => {
    const reason = new Error('gone');
    await expect(fetchThatFails(reason)('http://a.test/', LIMITS)).rejects.toBe(reason);
  });
});
