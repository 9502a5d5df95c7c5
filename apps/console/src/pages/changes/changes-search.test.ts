import { expect, test } from '@jest/globals';
import type { Change } from '../../live/follow-changes.ts';
import { isShown, parseChangesSearch } from './changes-search.ts';

test.each([
  [
    { entity: 'identity', action: 'merged' },
    { entity: 'identity', action: 'merged' },
  ],
  [
    { entity: 'x', action: ['merged'] },
    { entity: undefined, action: undefined },
  ],
])('%j', (raw, search) => expect(parseChangesSearch(raw)).toEqual(search));

test.each([
  [{}, true],
  [{ entity: 'identity' }, true],
  [{ entity: 'detection' }, false],
  [{ entity: 'identity', action: 'deleted' }, false],
] as const)('%j admits the merge of an identity: %s', (search, expected) => {
  const change = { entity_type: 'identity', action: 'merged' } as Change;
  expect(isShown(change, search)).toBe(expected);
});
