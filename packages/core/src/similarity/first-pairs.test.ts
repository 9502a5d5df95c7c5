import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FirstPairs, type GroupPair } from './first-pairs.ts';

const GROUPS = 5;
const group = fc.nat({ max: GROUPS - 1 });
const pair = fc
  .record({ group, other: group, cosine: fc.constantFrom(0.1, 0.2, 0.3), otherNode: fc.nat() })
  .filter((each) => each.group !== each.other);

function compare(a: GroupPair, b: GroupPair): number {
  const [lowA, lowB] = [Math.min(a.group, a.other), Math.min(b.group, b.other)];
  // The sum of both groups decides where the lower ones are equal.
  return b.cosine - a.cosine || lowA - lowB || a.group + a.other - b.group - b.other;
}

test('the first pair is the most similar one with the lowest groups', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(pair, group)), (steps) => {
      const pairs = new FirstPairs(GROUPS);
      const present = new Map<number, GroupPair>();
      for (const step of steps) {
        if (typeof step === 'number') {
          pairs.remove(step);
          present.delete(step);
        } else {
          pairs.set(step);
          present.set(step.group, step);
        }
        const sorted = [...present.values()].sort(compare);
        // Both groups may have the same pair.
        const equal = sorted.filter((each) => compare(each, sorted[0]!) === 0);
        if (equal.length === 0) expect(pairs.first).toBeNull();
        else expect(equal).toContainEqual(pairs.first);
      }
    }),
  );
});
