import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './read-environment.ts';

const OWN = 'sightline';

/**
 * The cache folder of this user: `$XDG_CACHE_HOME` if it is set (XDG Base Directory Specification), else
 * the platform's folder in the user's home, or the working folder for an account without a home.
 */
export function userCacheFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = environment.XDG_CACHE_HOME ?? '';
  // The specification says to ignore relative paths.
  if (isAbsolute(given)) return join(given, OWN);
  const inHome = platform === 'darwin' ? 'Library/Caches' : '.cache';
  return join(homeOf(environment), inHome, OWN);
}

function homeOf({ HOME = '' }: Environment): string {
  if (isAbsolute(HOME)) return HOME;
  try {
    return homedir();
  } catch {
    return '.';
  }
}
