import { beforeEach, describe, expect, test } from '@jest/globals';
import type { FetchLimits } from '@sightline/core/sources/fetch-image';
import { ImageFetchFailed, ImageTooLarge } from '@sightline/core/sources/image-errors';
import { createLogger } from '@sightline/platform/logging/logger';
import {
  FetchFailed,
  FetchTimeout,
  FetchTooLarge,
  TargetRefused,
} from '@sightline/platform/outgoing/outgoing-errors';
import { createFetchImage } from './create-fetch-image.ts';

const { signal } = new AbortController();
const LIMITS: FetchLimits = {
  environmentId: 1,
  reach: 'private',
  maxBytes: 1000,
  timeoutMs: 10_000,
  signal,
};

let lines: string[];
const logger = createLogger({
  level: 'info',
  destination: { write: (line) => void lines.push(line) },
});

beforeEach(() => {
  lines = [];
});

function fetchThatFails(error: Error) {
  return createFetchImage({ outgoing: { bytes: () => Promise.reject(error) }, logger });
}

describe('an image that is fetched', () => {
  test('has the given limits', async () => {
    let limits: FetchLimits | undefined;
    const bytes = (_url: string, given: FetchLimits) => {
      limits = given;
      return Promise.resolve(Uint8Array.of(1));
    };
    const fetchImage = createFetchImage({ outgoing: { bytes }, logger });
    await expect(fetchImage('http://a.test/', LIMITS)).resolves.toEqual(Uint8Array.of(1));
    expect(limits).toEqual(LIMITS);
    expect(lines).toEqual([]);
  });

  const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
  test.each<[Error, string, string | undefined]>([
    [
      new TargetRefused(),
      'This target is not allowed: use an http or https URL whose host has no reserved address and does not belong to this installation.',
      undefined,
    ],
    [
      new FetchFailed('status', 'The target responded with status 404.'),
      'The target responded with status 404.',
      undefined,
    ],
    [
      new FetchFailed('unreachable', 'The target could not be reached.', { cause: refused }),
      'The target could not be reached.',
      'ECONNREFUSED',
    ],
    [
      new FetchTimeout(10_000),
      'The target did not send its whole response within 10 seconds.',
      undefined,
    ],
  ])('cannot be fetched: the log alone says that %s', async (error, reason, cause) => {
    const url = 'https://user:SECRET@a.test:8443/SECRET?token=SECRET';
    const failure = await fetchThatFails(error)(url, LIMITS).catch((e: unknown) => e);
    expect(failure).toBeInstanceOf(ImageFetchFailed);
    expect(failure).toMatchObject({ message: 'The image at this URL cannot be fetched.' });
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({ host: 'a.test:8443', reason, ...(cause && { cause }) }),
    ]);
    expect(lines.join('')).not.toContain('SECRET');
  });

  test('is too large', async () => {
    await expect(fetchThatFails(new FetchTooLarge(5))('http://a.test/', LIMITS)).rejects.toThrow(
      ImageTooLarge,
    );
  });

  test('passes an abort on unchanged', async () => {
    const reason = new Error('stopped');
    await expect(fetchThatFails(reason)('http://a.test/', LIMITS)).rejects.toBe(reason);
  });
});
