import { describe, expect, test } from '@jest/globals';
import { DomainError } from '@sightline/core/domain-error';
import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import { serializeError, deserializeError } from './serialized-error.ts';

const acrossThreads = (thrown: unknown) =>
  deserializeError(structuredClone(serializeError(thrown)));

describe('an error that crosses a thread boundary', () => {
  test('of the domain keeps its class, message, facts and stack', () => {
    const thrown = new ImageTooLarge('The image has too many pixels.', { pixels: 60_000_000 });
    const revived = acrossThreads(thrown);
    expect(revived).toBeInstanceOf(ImageTooLarge);
    expect(revived).toMatchObject({
      code: 'image_too_large',
      message: thrown.message,
      facts: thrown.facts,
      stack: thrown.stack,
    });
  });

  test('of any other kind keeps name, message and stack', () => {
    const thrown = new RangeError('out of range');
    const revived = acrossThreads(thrown);
    expect(revived).toMatchObject({
      name: 'RangeError',
      message: 'out of range',
      stack: thrown.stack,
    });
    expect(revived).not.toBeInstanceOf(DomainError);
  });

  test('may be a value that is not an error', () => {
    expect(acrossThreads('a string')).toMatchObject({ name: 'Error', message: 'a string' });
  });
});
