import { enableCompileCache } from 'node:module';
import { resolve } from 'node:path';

/**
 * The folder of the cache. It lies in `node_modules`, because an account that can write there could change the code
 * anyway.
 */
const FOLDER = resolve(import.meta.dirname, '../../../../node_modules/.cache/node');

/**
 * Makes Node cache the compiled code of all modules that are imported after this call. A process writes the cache when it
 * exits, and later processes start with half the CPU time. Node checks each entry against the source file, and works
 * without the cache if the folder cannot be written. Flags of V8 must be set before this call: Node names the folder of
 * the entries after the flags, and V8 rejects entries that were made with other flags. `NODE_COMPILE_CACHE` names another
 * folder, and `NODE_DISABLE_COMPILE_CACHE=1` turns the cache off.
 */
export function enableCodeCache(): void {
  enableCompileCache(FOLDER);
}
