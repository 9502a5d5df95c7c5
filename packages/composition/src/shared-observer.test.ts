import { expect, test } from '@jest/globals';
import type { DependencyStatus } from '@sightline/platform/resilience/dependency';
import { SharedObserver } from './shared-observer.ts';

test('processes that start and stop are one service, which is available while one of them is', () => {
  const shown: string[] = [];
  const stateChanged = ({ name, state }: DependencyStatus) => void shown.push(`${name} ${state}`);
  const shared = new SharedObserver('inference', { stateChanged });
  const [one, other] = [shared.member(), shared.member()];
  one.stateChanged({ name: 'a', state: 'available' });
  other.stateChanged({ name: 'b', state: 'hanging' });
  one.stateChanged({ name: 'a', state: 'failing' });
  other.stateChanged({ name: 'b', state: 'available' });
  one[Symbol.dispose]();
  other[Symbol.dispose]();
  expect(shown).toEqual([
    'inference failing',
    'inference available',
    'inference failing',
    'inference available',
    'inference failing',
  ]);
});
