import { expect, test } from '@jest/globals';
import { StartError } from '@sightline/platform/lifecycle/start-error';
import { connectionOf, ownerConnectionOf } from './connection-of.ts';

const LIMITS = { connections: 1, statementTimeout: 1_000, lockTimeout: 1_000 };

const settingsOf = (user: string, roleSuffix: string) => ({
  url: () => [`postgres://${user}:hidden@db.example.org/sightline`],
  password: null,
  roleSuffix,
  ...LIMITS,
});

test.each([
  ['sightline_app', ''],
  ['sightline_platform', ''],
  ['sightline_app_red', 'red'],
])('the service logs in as %s, with the suffix "%s"', (user, suffix) => {
  const settings = settingsOf(user, suffix);
  const named = suffix === '' ? {} : { roleSuffix: suffix };
  expect(connectionOf(settings)).toMatchObject({ user, ...named });
  const owner = ownerConnectionOf('postgres://owner:own@db.example.org/sightline', settings);
  expect(owner).toMatchObject({ user: 'owner', servicePassword: 'hidden', ...named });
});

test.each([
  ['owner', '', /user owner: name sightline_app instead/],
  ['sightline_app', 'red', /name sightline_app_red instead.*and sightline_platform_red, and/],
  ['sightline_app_blue', 'red', /name sightline_app_red instead/],
  ['sightline_app_red', '', /name sightline_app instead/],
])('a URL that names %s is refused with the suffix "%s"', (user, suffix, sentence) => {
  const settings = settingsOf(user, suffix);
  expect(() => connectionOf(settings)).toThrow(StartError);
  expect(() => connectionOf(settings)).toThrow(sentence);
});
