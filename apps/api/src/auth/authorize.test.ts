import { describe, expect, test } from '@jest/globals';
import { Unauthenticated } from '@sightline/core/access/access-errors';
import type { Caller } from '@sightline/core/access/caller';
import { authorize, type Authorization } from './authorize.ts';

const { signal } = new AbortController();

const CALLERS: Readonly<Record<string, Caller>> = {
  reader: { keyId: 1, environmentId: 3, right: 'read', isAdmin: false },
  writer: { keyId: 2, environmentId: 3, right: 'full', isAdmin: false },
  admin: { keyId: 3, environmentId: 3, right: 'full', isAdmin: true },
  readingAdmin: { keyId: 4, environmentId: 3, right: 'read', isAdmin: true },
};

const keys: Authorization['keys'] = {
  authenticate: (text) => {
    const caller = CALLERS[text];
    return caller === undefined ? Promise.reject(new Unauthenticated()) : Promise.resolve(caller);
  },
};

function withKey(key: string): Authorization {
  return { keys, headers: { 'x-api-key': key } };
}

describe('authorization', () => {
  test('asks for no key if the endpoint needs none', async () => {
    await expect(authorize('none', { keys, headers: {} }, signal)).resolves.toBeUndefined();
  });

  test.each(['read', 'full', 'admin'] as const)('needs a valid key for %s', async (right) => {
    const refusal = { code: 'unauthenticated' };
    await expect(authorize(right, { keys, headers: {} }, signal)).rejects.toMatchObject(refusal);
    await expect(authorize(right, withKey('wrong'), signal)).rejects.toMatchObject(refusal);
  });

  test.each([
    ['read', 'reader'],
    ['read', 'writer'],
    ['read', 'admin'],
    ['read', 'readingAdmin'],
    ['full', 'writer'],
    ['full', 'admin'],
    ['admin', 'admin'],
  ] as const)('lets through, for %s: %s', async (right, key) => {
    await expect(authorize(right, withKey(key), signal)).resolves.toBe(CALLERS[key]);
  });

  test.each([
    ['full', 'reader', 'forbidden'],
    ['full', 'readingAdmin', 'forbidden'],
    ['admin', 'reader', 'admin_required'],
    ['admin', 'writer', 'admin_required'],
    ['admin', 'readingAdmin', 'forbidden'],
  ] as const)('refuses, for %s: %s, with %s', async (right, key, code) => {
    await expect(authorize(right, withKey(key), signal)).rejects.toMatchObject({ code });
  });
});
