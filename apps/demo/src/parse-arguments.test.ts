import { describe, expect, test } from '@jest/globals';
import { parseArguments } from './parse-arguments.ts';

describe('parseArguments', () => {
  test('no arguments: the party, with pictures in ./demo-output', () => {
    expect(parseArguments([])).toEqual({ scenario: { kind: 'party' }, out: './demo-output' });
  });

  test('a photo, and the folder for the picture', () => {
    expect(parseArguments(['--photo', 'a b.jpg', '--out', '/tmp/x'])).toEqual({
      scenario: { kind: 'photo', path: 'a b.jpg' },
      out: '/tmp/x',
    });
  });

  test('a folder: one photo of each person is enrolled by default', () => {
    const kind = 'folder';
    expect(parseArguments(['--folder', 'people']).scenario).toEqual({
      kind,
      path: 'people',
      enroll: 1,
    });
    expect(parseArguments(['--folder', 'people', '--enroll', '3']).scenario).toEqual({
      kind,
      path: 'people',
      enroll: 3,
    });
  });

  test.each([
    [['--photo', 'a.jpg', '--folder', 'b'], 'Give either PHOTO or FOLDER'],
    [['--folder', 'b', '--enroll', '0'], 'ENROLL is 0'],
    [['--folder', 'b', '--enroll', 'two'], 'ENROLL is two'],
    [['--phto', 'a.jpg'], "Unknown option '--phto'"],
  ])('%j is refused with the usage', (words, reason) => {
    expect(() => parseArguments(words)).toThrow(reason);
    expect(() => parseArguments(words)).toThrow('make demo');
  });
});
