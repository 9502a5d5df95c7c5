import { FileRefused } from '../onnx/file-refused.ts';

/**
 * The error of a folder that is not used as a pack. The message is a sentence that names the file
 * and the reason.
 */
export class PackRejected extends Error {
  override readonly name = 'PackRejected';
}

/**
 * Runs a step on one file of a pack.
 *
 * @throws PackRejected naming the file, if the step throws FileRefused
 */
export async function onFile<T>(file: string, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new PackRejected(`${file} ${error.message}.`, { cause: error });
  }
}
