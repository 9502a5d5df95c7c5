import { expect, test } from '@jest/globals';
import { NO_TENANT } from '@sightline/core/analysis/tenant';
import { decodeTenant, encodeTenant } from './tenant-header.ts';
import { MalformedMessage } from './wire-errors.ts';

test.each([
  { environment: '12', caller: 'key-7' },
  { environment: '', caller: '' },
  { environment: 'a/b', caller: 'ä 100%' },
])('%j arrives as it was sent', (tenant) => {
  expect(decodeTenant(encodeTenant(tenant))).toEqual(tenant);
});

test('a request without the header has the tenant of those without one', () => {
  expect(decodeTenant(undefined)).toEqual(NO_TENANT);
});

test.each(['12', '1/2/3', '%/1', 'a b/c', `${'1'.repeat(101)}/1`, ['1/2']])(
  'refuses %j',
  (value) => {
    expect(() => decodeTenant(value)).toThrow(MalformedMessage);
  },
);
