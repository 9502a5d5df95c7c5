import { StartError } from '@sightline/platform/lifecycle/start-error';

/**
 * Runs a step. An error of the step that is not already a StartError becomes a StartError.
 *
 * @param sentence the beginning of the StartError's message; the message of the original error follows
 */
export async function failWithSentence<T>(sentence: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${sentence}: ${(error as Error).message}.`, { cause: error });
  }
}
