import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import type { Environment } from './read-environment.ts';

const OWN = 'sightline';

/**
 * Where programs of this user keep what can be had again: `$XDG_CACHE_HOME` where it is set, as the
 * XDG Base Directory Specification has it, else the platform's folder in the user's home. An account
 * without a home has the working folder.
 */
export function userCacheFolder(
  environment: Environment,
  platform: NodeJS.Platform = process.platform,
): string {
  const given = environment.XDG_CACHE_HOME ?? '';
  // The specification wants a relative path to be passed over.
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
