/** The cache folder cannot be used; the message is a clause that names it and the reason. */
export class CacheUnusable extends Error {
  override readonly name = 'CacheUnusable';

  /** @param code of the system's error */
  constructor(folder: string, code: string, options?: ErrorOptions) {
    super(`the cache ${folder} cannot be used (${code})`, options);
  }
}

/**
 * Runs a step that writes to the cache, or reads a required entry.
 *
 * @throws CacheUnusable with the code of the system's error
 */
export async function onCache<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new CacheUnusable(folder, code, { cause });
  }
}
