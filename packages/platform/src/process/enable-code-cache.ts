import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

/** Beside the packages: an account that can write there can change the code itself. */
const FOLDER = resolve(import.meta.dirname, '../../../../node_modules/.cache/node');

/**
 * Makes Node keep the modules that are imported from now on as it has compiled them, types stripped.
 * A process writes them when it exits; later ones start with half the CPU time. Node compares each
 * entry with its source, and goes on without the cache if the folder cannot be written.
 * `NODE_COMPILE_CACHE` names another folder, `NODE_DISABLE_COMPILE_CACHE=1` turns the cache off.
 */
export function enableCodeCache(): void {
  enableCompileCache(FOLDER);
}
