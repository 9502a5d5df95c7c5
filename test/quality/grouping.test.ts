import { describe, expect, test } from '@jest/globals';
import { dbscanMethod, scoreGrouping, serviceMethod, whisperMethod } from './grouping.ts';

const PEOPLE = ['a', 'a', 'a', 'b', 'b', 'c'];

describe('a score', () => {
  test('is 1 if each group is one person', () => {
    const score = scoreGrouping(PEOPLE, [
      [0, 1, 2],
      [3, 4],
    ]);
    expect(score).toEqual({ precision: 1, recall: 1, f: 1 });
  });

  test('counts pairs', () => {
    // Four pairs are of one person. Of the three pairs in the group, one is.
    const { precision, recall } = scoreGrouping(PEOPLE, [[2, 3, 4]]);
    expect([precision, recall]).toEqual([1 / 3, 1 / 4]);
  });

  test('of no group has no wrong pair, and finds none', () => {
    expect(scoreGrouping(PEOPLE, [])).toEqual({ precision: 1, recall: 0, f: 0 });
  });
});

describe('groups', () => {
  // Two people, and a face in between that is similar to one face of each.
  const angles = [0, 10, 20, 50, 80, 90, 100];
  const vectors = angles.map((angle) => {
    const radians = (angle * Math.PI) / 180;
    return Float32Array.of(Math.cos(radians), Math.sin(radians));
  });
  const similarityOf = (face: number, other: number) =>
    Math.cos(((angles[face]! - angles[other]!) * Math.PI) / 180);

  test('of the service keep two people apart', () => {
    const groupsAt = serviceMethod(vectors, { nearest: 3, calibrate: (cosine) => cosine });
    expect(groupsAt(0.9)).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ]);
  });

  test('of DBSCAN chain people through the face in between', () => {
    const groupsAt = dbscanMethod(angles.length, similarityOf, 3);
    expect(groupsAt(0.95)).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ]);
    expect(groupsAt(0.85)).toEqual([[0, 1, 2, 3, 4, 5, 6]]);
  });

  test('of Chinese Whispers leave a face alone that is similar to none', () => {
    expect(whisperMethod(angles.length, similarityOf, 20)(0.95)).toEqual([
      [0, 1, 2],
      [4, 5, 6],
    ]);
  });
});
