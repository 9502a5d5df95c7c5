import { describe, expect, test } from '@jest/globals';
import { parseArguments } from './parse-arguments.ts';

describe('parseArguments', () => {
  test('without any: the party, into ./demo-output', () => {
    expect(parseArguments([])).toEqual({ scenario: { kind: 'party' }, out: './demo-output' });
  });

  test('a photo, and where the picture goes', () => {
    expect(parseArguments(['--photo', 'a b.jpg', '--out', '/tmp/x'])).toEqual({
      scenario: { kind: 'photo', path: 'a b.jpg' },
      out: '/tmp/x',
    });
  });

  test('a folder, of which one photo each is enrolled unless it says otherwise', () => {
    const kind = 'folder';
    expect(parseArguments(['--folder', 'people']).scenario).toEqual({
      ...{ kind, path: 'people', enrol: 1 },
    });
    expect(parseArguments(['--folder', 'people', '--enrol', '3']).scenario).toEqual({
      ...{ kind, path: 'people', enrol: 3 },
    });
  });

  test.each([
    [['--photo', 'a.jpg', '--folder', 'b'], 'two demos'],
    [['--folder', 'b', '--enrol', '0'], 'ENROL is 0'],
    [['--folder', 'b', '--enrol', 'two'], 'ENROL is two'],
    [['--phto', 'a.jpg'], "Unknown option '--phto'"],
  ])('%j is refused, with how it is used', (words, reason) => {
    expect(() => parseArguments(words)).toThrow(reason);
    expect(() => parseArguments(words)).toThrow('make demo');
  });
});
