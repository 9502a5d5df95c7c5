import { StoreUnavailable } from '@sightline/core/store/store-errors';

const SENTENCES: Readonly<Record<string, string>> = {
  ENOSPC: 'The media store is full.',
  EDQUOT: 'The media store is full.',
  EROFS: 'The media store cannot be written to.',
  EACCES: 'The media store cannot be written to.',
  EPERM: 'The media store cannot be written to.',
};

/**
 * Runs an operation on files unless the signal is aborted.
 *
 * @throws StoreUnavailable if the operating system reports an error, which becomes the cause; the signal's reason on abort
 */
export async function withStoreErrors<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  signal?.throwIfAborted();
  try {
    return await work();
  } catch (error) {
    signal?.throwIfAborted();
    if (!isSystemError(error)) throw error;
    const sentence = SENTENCES[error.code] ?? 'The media store failed.';
    throw new StoreUnavailable(sentence, {}, { cause: error });
  }
}

export function isAbsence(error: unknown): boolean {
  return isSystemError(error) && error.code === 'ENOENT';
}

export function isPresence(error: unknown): boolean {
  return isSystemError(error) && error.code === 'EEXIST';
}

function isSystemError(error: unknown): error is { readonly code: string } {
  return typeof error === 'object' && error !== null && 'errno' in error && 'code' in error;
}
