import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';

export class OutputFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = resolve(path);
  }

  /**
   * The folder's path, relative to the working directory if the folder lies inside the working directory, else
   * absolute.
   */
  get shown(): string {
    return this.#shown(this.#path);
  }

  /**
   * Writes a picture and replaces an existing file.
   *
   * @param name the path inside the folder
   * @returns the path for messages, in the form of `shown`
   * @throws StartError if the picture cannot be written
   */
  async write(name: string, picture: Uint8Array): Promise<string> {
    const path = join(this.#path, name);
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, picture);
    } catch (error) {
      const reason = (error as Error).message;
      throw new StartError(`The pictures cannot be written to ${this.shown}: ${reason}`);
    }
    return this.#shown(path);
  }

  #shown(path: string): string {
    const short = relative(process.cwd(), path);
    return short.startsWith('..') || short === '' ? path : short;
  }
}
