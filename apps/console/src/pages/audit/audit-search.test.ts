import { expect, test } from '@jest/globals';
import { parseAuditSearch, toAuditQuery } from './audit-search.ts';

const NONE = {
  scope: undefined,
  action: undefined,
  kind: undefined,
  entity: undefined,
  person: undefined,
  key: undefined,
  since: undefined,
  until: undefined,
};

test('filters of the address are read, and wrong ones are left out', () => {
  expect(parseAuditSearch({})).toEqual(NONE);
  expect(
    parseAuditSearch({
      scope: 'all',
      action: 7,
      kind: ' ',
      key: -1,
      since: '2026-13-01',
      until: 3,
    }),
  ).toEqual({ ...NONE, action: '7' });
  expect(parseAuditSearch({ scope: 'installation', key: 3, since: '2026-11-29' })).toEqual({
    ...NONE,
    scope: 'installation',
    key: 3,
    since: '2026-11-29',
  });
  expect(parseAuditSearch({ entity: 'x'.repeat(101) }).entity).toHaveLength(100);
});

test('both days of a range belong to it', () => {
  const { since, until } = toAuditQuery({ ...NONE, since: '2026-11-28', until: '2026-11-29' });
  expect(Date.parse(until!) - Date.parse(since!)).toBe(2 * 86_400_000);
});
