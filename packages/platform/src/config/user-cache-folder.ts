import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './read-environment.ts';

const OWN = 'sightline';

/**
 * The path of this user's cache folder for Sightline. The folder lies in `$XDG_CACHE_HOME` (XDG Base Directory
 * Specification) if that is set, else in the platform's cache folder in the user's home. For an account without a home,
 * it lies in the working directory.
 */
export function userCacheFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = environment.XDG_CACHE_HOME ?? '';
  // The XDG specification requires that relative paths are ignored.
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
