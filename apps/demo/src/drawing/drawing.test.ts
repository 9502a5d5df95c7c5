import { describe, expect, test } from '@jest/globals';
import { mix } from './colour.ts';
import { groupPicture } from './group-picture.ts';
import { FRIENDS, STRANGER } from './people.ts';
import { portrait } from './portrait.ts';
import { mirrored, smooth, turned } from './shape.ts';

describe('drawings', () => {
  test.each([
    ...FRIENDS.map((person) => [person.name, portrait(person, '#9fb4c0')] as const),
    ['the group', groupPicture()],
  ])('%s: every reference leads somewhere, and no number is missing', (_, svg) => {
    const ids = new Set([...svg.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));
    const used = new Set([...svg.matchAll(/url\(#([^)]+)\)/g)].map(([, id]) => id));
    expect(used.size).toBeGreaterThan(0);
    expect([...used].filter((id) => !ids.has(id))).toEqual([]);
    expect(svg).not.toMatch(/NaN|undefined|Infinity/);
  });

  test('they are the same each time', () => {
    expect(groupPicture()).toBe(groupPicture());
  });

  test('the parts of one person are never cut by the outline of another', () => {
    const clips = [...groupPicture().matchAll(/<clipPath id="([^"]+)"/g)].map(([, id]) => id);
    expect(new Set(clips).size).toBe(clips.length);
  });

  test('the stranger has no portrait', () => {
    expect(FRIENDS).not.toContain(STRANGER);
  });
});

describe('shape', () => {
  test('mirrored goes down the right half and up the left, points of the middle once', () => {
    const right = [[0, 0] as const, [2, 1] as const, [0, 3] as const];
    expect(mirrored(right)).toEqual([...right, [-2, 1]]);
  });

  test('turned turns clockwise, y down', () => {
    const [[x, y] = []] = turned([[1, 0]], [0, 0], 90);
    expect([x, y]).toEqual([expect.closeTo(0), expect.closeTo(1)]);
  });

  test('a curve through points on a line is the line', () => {
    expect(
      smooth(
        [
          [0, 0],
          [6, 0],
          [12, 0],
        ],
        false,
      ),
    ).toBe('M0 0C1 0 4 0 6 0C8 0 11 0 12 0');
  });
});

test('mix goes from one colour to the other', () => {
  expect([mix('#000000', '#ff8000', 0), mix('#000000', '#ff8000', 0.5)]).toEqual([
    ...['#000000', '#804000'],
  ]);
});
