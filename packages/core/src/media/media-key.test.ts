import { describe, expect, test } from '@jest/globals';
import { digestOfMediaKey, isMediaKey, mediaKey } from './media-key.ts';

const digest = 'ab'.repeat(32);
const key = mediaKey(7, 'crops', { digest, extension: 'jpg' });

describe('a media key', () => {
  test('names its environment, kind and digest', () => {
    expect(key).toMatch(/^7\/crops\/ab\/(ab){32}-[0-9a-f]{32}\.jpg$/);
    expect(digestOfMediaKey(key)).toBe(digest);
    expect(isMediaKey(key)).toBe(true);
  });

  test('is different each time', () => {
    expect(mediaKey(7, 'crops', { digest, extension: 'jpg' })).not.toBe(key);
  });

  test.each([
    ['nothing', ''],
    ['a folder', '7/crops/ab'],
    ['an absolute path', `/${key}`],
    ['the parent folder', key.replace('crops', '..')],
    ['the parent folder in front', `../${key}`],
    ['the parent folder behind', `${key}/../x`],
    ['a backslash', key.replace('/', '\\')],
    ['a null character', `${key}\0`],
    ['a line feed at the end', `${key}\n`],
    ['capital letters, because some file systems ignore case', key.toUpperCase()],
    ['a key without nonce', `7/crops/ab/${digest}.jpg`],
  ])('is not %s', (_, text) => {
    expect(isMediaKey(text)).toBe(false);
  });
});
