import { expect, test } from '@jest/globals';
import { backgroundOf, NO_TENANT, type Tenant } from '@sightline/core/analysis/tenant';
import { LANE_HEADER, TENANT_HEADER } from './preamble.ts';
import { decodeTenant, encodeTenant } from './tenant-header.ts';
import { MalformedMessage } from './wire-errors.ts';

const TENANT = { environment: '12', caller: 'key-7' };

test.each<Tenant>([
  TENANT,
  { ...TENANT, lane: 'interactive' },
  backgroundOf({ environmentId: 12 }),
  { environment: '', caller: '' },
  { environment: 'a/b', caller: 'ä 100%' },
])('%j arrives as it was sent', (tenant) => {
  const { lane, ...names } = decodeTenant(encodeTenant(tenant));
  expect(names).toEqual({ environment: tenant.environment, caller: tenant.caller });
  expect(lane === 'background').toBe(tenant.lane === 'background');
});

test('a request without the header has the tenant of those without one', () => {
  expect(decodeTenant({})).toEqual(NO_TENANT);
});

test('processes of older releases read the same names, and send no lane', () => {
  const headers = encodeTenant(backgroundOf({ environmentId: 12 }));
  expect(headers).toEqual({ 'sightline-tenant': '12/jobs', 'sightline-lane': 'background' });
  expect(decodeTenant({ 'sightline-tenant': '12/jobs' })).toEqual({
    environment: '12',
    caller: 'jobs',
  });
});

test.each(['urgent', '', ['background', 'background']])(
  'the unknown lane %j counts as interactive',
  (lane) => {
    const headers = { [TENANT_HEADER]: '12/key-7', [LANE_HEADER]: lane };
    expect(decodeTenant(headers)).toEqual(TENANT);
  },
);

test.each(['12', '1/2/3', '%/1', 'a b/c', `${'1'.repeat(101)}/1`, ['1/2']])(
  'refuses %j',
  (value) => {
    expect(() => decodeTenant({ [TENANT_HEADER]: value })).toThrow(MalformedMessage);
  },
);
