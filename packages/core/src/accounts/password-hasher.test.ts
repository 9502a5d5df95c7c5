import { expect, test } from '@jest/globals';
import { PasswordHasher } from './password-hasher.ts';
import { TEST_COST } from './testing/test-cost.ts';

test("the service's hashes have the cost that OWASP lists", async () => {
  const hasher = new PasswordHasher();
  const hash = await hasher.hash('a password', 'test');
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
  expect(await hasher.isPasswordOf('a password', hash)).toBe(true);
});

test('a hash of another cost is compared with its own', async () => {
  const hash = await new PasswordHasher({ ln: 5, r: 8, p: 1 }).hash('a password', 'test');
  const hasher = new PasswordHasher(TEST_COST);
  expect(await hasher.isPasswordOf('a password', hash)).toBe(true);
  expect(await hasher.isPasswordOf('another password', hash)).toBe(false);
});

test('characters that keyboards compose differently are the same', async () => {
  const hasher = new PasswordHasher(TEST_COST);
  const hash = await hasher.hash('caf\u00e9', 'test');
  expect(await hasher.isPasswordOf('cafe\u0301', hash)).toBe(true);
});

test.each([null, '', 'reset', '$scrypt$ln=5'])('no password has the hash %j', async (stored) => {
  expect(await new PasswordHasher(TEST_COST).isPasswordOf('a password', stored)).toBe(false);
});
