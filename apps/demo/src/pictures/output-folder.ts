import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { StartError } from '@sightline/platform/lifecycle/start-error';

/** Where pictures are put. */
export class OutputFolder {
  readonly #path: string;

  constructor(path: string) {
    this.#path = resolve(path);
  }

  /** The path as somebody in this folder would type it. */
  get shown(): string {
    return this.#shown(this.#path);
  }

  /**
   * @param name path inside the folder; what is there is replaced
   * @returns the path of the picture as somebody in this folder would type it
   * @throws StartError if it cannot be written
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
