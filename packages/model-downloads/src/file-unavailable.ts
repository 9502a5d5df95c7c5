import type { ModelFile } from './model-file.ts';

export interface SourceFailure {
  /** As people know it. */
  readonly source: string;
  /** A clause that follows the source's name. */
  readonly reason: string;
}

/** No source gave the file; the message has a clause for each. */
export class FileUnavailable extends Error {
  override readonly name = 'FileUnavailable';
  readonly file: ModelFile;

  constructor(file: ModelFile, failures: readonly SourceFailure[]) {
    const clauses = failures.map(({ source, reason }) => `${source} ${reason}`).join('; ');
    super(`${file.name}: ${clauses}`);
    this.file = file;
  }
}
