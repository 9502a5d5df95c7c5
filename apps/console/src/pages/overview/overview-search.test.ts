import { expect, test } from '@jest/globals';
import { parseOverviewSearch } from './overview-search.ts';

test.each([
  [{}, undefined],
  [{ tables: 'faces' }, ['faces']],
  [{ tables: ['rejected', 'x', 'faces', 'faces'] }, ['faces', 'rejected']],
  [{ tables: { faces: 1 } }, undefined],
])('%j', (raw, tables) => expect(parseOverviewSearch(raw)).toEqual({ tables }));
