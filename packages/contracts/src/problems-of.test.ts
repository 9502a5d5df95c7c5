import { describe, expect, test } from '@jest/globals';
import { defineContract, emptyResponse, type RequiredRight } from './define-contract.ts';
import { problemsOf } from './problems-of.ts';
import { idPath } from './record-id.ts';

function contractFor(right: RequiredRight) {
  return defineContract({
    method: 'POST',
    path: '/api/things',
    right,
    tag: 'Discovery',
    summary: 'Make a thing',
    request: {},
    responses: { 204: emptyResponse('Made.') },
    problems: ['limit_reached'],
  });
}

const OF_SESSION = ['unauthenticated', 'store_unavailable', 'cross_site'] as const;
const OF_CALLER = [
  ...OF_SESSION,
  'password_change_required',
  'no_environment',
  'rate_limited',
  'not_found',
] as const;

describe('the problems of an endpoint', () => {
  test.each([
    ['none', []],
    ['visitor', ['unauthenticated', 'cross_site', 'store_unavailable']],
    ['signed-in', OF_SESSION],
    ['account', [...OF_SESSION, 'password_change_required']],
    ['administrator', [...OF_SESSION, 'password_change_required', 'admin_required']],
    ['read', OF_CALLER],
    ['review', [...OF_CALLER, 'forbidden']],
    ['full', [...OF_CALLER, 'forbidden']],
    ['owner', [...OF_CALLER, 'forbidden']],
    ['admin', [...OF_CALLER, 'forbidden', 'admin_required']],
  ] as const)('follow from its right: %s', (right, problems) => {
    expect(problemsOf(contractFor(right))).toEqual(['limit_reached', ...problems, 'overloaded']);
  });

  test('follow from parameters and from an idempotency key, each once', () => {
    const contract = {
      ...contractFor('none'),
      idempotent: true,
      request: { path: idPath },
    } as const;
    expect([...problemsOf(contract)].sort()).toEqual([
      'idempotency_mismatch',
      'in_progress',
      'invalid_request',
      'limit_reached',
      'overloaded',
    ]);
  });
});
