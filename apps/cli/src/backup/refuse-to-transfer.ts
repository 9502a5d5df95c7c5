import { StartError } from '@sightline/platform/lifecycle/start-error';

/** Runs a step; what the system refuses in it becomes a sentence that begins as given. */
export async function refuseToTransfer<T>(sentence: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (error instanceof StartError) throw error;
    throw new StartError(`${sentence}: ${(error as Error).message}.`, { cause: error });
  }
}
