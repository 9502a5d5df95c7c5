export class NotAZip extends Error {
  override readonly name = 'NotAZip';

  constructor() {
    super('The file is not a ZIP archive.');
  }
}

export class ZipTooLarge extends Error {
  override readonly name = 'ZipTooLarge';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`The files in the ZIP archive have more than ${maxBytes} bytes.`);
    this.maxBytes = maxBytes;
  }
}

export class ZipRefused extends Error {
  override readonly name = 'ZipRefused';
  /** The printable part of the entry's name; null if the problem concerns the whole archive. */
  readonly entry: string | null;
  /** The problem, worded to follow the entry's name in a sentence. */
  readonly problem: string;

  constructor(entry: string | null, problem: string, options?: ErrorOptions) {
    const name = entry === null ? null : shown(entry);
    super(`${name === null ? 'The archive' : `The entry ${name}`} ${problem}.`, options);
    this.entry = name;
    this.problem = problem;
  }
}

const MAX_SHOWN = 200;

/** Shortens a name from an untrusted archive, and replaces characters that a terminal or a log would interpret. */
function shown(name: string): string {
  return name.slice(0, MAX_SHOWN).replaceAll(/[^\x20-\x7e]/g, '?');
}
