import { describe, expect, test } from '@jest/globals';
import { DomainError } from '@sightline/core/domain-error';
import { ImageTooLarge } from '@sightline/core/sources/image-errors';
import { describeThrown, reviveThrown } from './thrown-data.ts';

const acrossThreads = (thrown: unknown) => reviveThrown(structuredClone(describeThrown(thrown)));

describe('an error that crosses a thread boundary', () => {
  test('is of the same class, with its message, facts and stack, if it is of the domain', () => {
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

  test('keeps name, message and stack otherwise', () => {
    const thrown = new RangeError('out of range');
    const revived = acrossThreads(thrown);
    expect(revived).toMatchObject({
      name: 'RangeError',
      message: 'out of range',
      stack: thrown.stack,
    });
    expect(revived).not.toBeInstanceOf(DomainError);
  });

  test('may be no error at all', () => {
    expect(acrossThreads('a string')).toMatchObject({ name: 'Error', message: 'a string' });
  });
});
