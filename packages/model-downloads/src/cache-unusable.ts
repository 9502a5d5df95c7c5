/** The cache folder cannot be used. The message is a clause with the folder and the error code. */
export class CacheUnusable extends Error {
  override readonly name = 'CacheUnusable';

  /** @param code the code of the system's error, such as `ENOSPC` */
  constructor(folder: string, code: string, options?: ErrorOptions) {
    super(`the cache ${folder} cannot be used (${code})`, options);
  }
}

/**
 * Runs a step that uses the cache.
 *
 * @throws CacheUnusable with the code of the error, instead of any error of the step
 */
export async function onCache<T>(folder: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (cause) {
    const { code = 'unknown error' } = cause as NodeJS.ErrnoException;
    throw new CacheUnusable(folder, code, { cause });
  }
}
