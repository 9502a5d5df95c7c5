import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { userCacheFolder } from './user-cache-folder.ts';

test.each<[Record<string, string>, NodeJS.Platform, string]>([
  [{ HOME: '/home/a', XDG_CACHE_HOME: '/caches' }, 'linux', '/caches/sightline'],
  [{ HOME: '/home/a', XDG_CACHE_HOME: '/caches' }, 'darwin', '/caches/sightline'],
  [{ HOME: '/home/a', XDG_CACHE_HOME: 'relative' }, 'linux', '/home/a/.cache/sightline'],
  [{ HOME: '/home/a', XDG_CACHE_HOME: '' }, 'linux', '/home/a/.cache/sightline'],
  [{ HOME: '/Users/a' }, 'darwin', '/Users/a/Library/Caches/sightline'],
  [{}, 'linux', join(homedir(), '.cache/sightline')],
])('%j on %s: %s', (environment, platform, folder) => {
  expect(userCacheFolder(environment, platform)).toBe(folder);
});
