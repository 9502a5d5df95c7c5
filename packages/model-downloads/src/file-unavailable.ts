import type { ModelFile } from './model-file.ts';

export interface SourceFailure {
  readonly source: string;
  /** A clause that follows the source's name. */
  readonly reason: string;
}

/** Every source of a file failed. The message has a clause for each source. */
export class FileUnavailable extends Error {
  override readonly name = 'FileUnavailable';
  readonly file: ModelFile;

  constructor(file: ModelFile, failures: readonly SourceFailure[]) {
    const clauses = failures.map(({ source, reason }) => `${source} ${reason}`).join('; ');
    super(`${file.name}: ${clauses}`);
    this.file = file;
  }
}
