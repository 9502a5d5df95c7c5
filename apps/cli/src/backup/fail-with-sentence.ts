import { StartError } from '@sightline/platform/lifecycle/start-error';

/**
 * Runs a step of a backup or a restore.
 *
 * @throws StartError that begins with the sentence, for every error that is not a StartError
 */
export async function failWithSentence<T>(sentence: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${sentence}: ${(error as Error).message}.`, { cause: error });
  }
}
