import { DomainError } from '../domain-error.ts';

/** The file is no ZIP archive, whatever its name says. */
export class NotAnArchive extends DomainError {
  readonly code = 'unsupported_media_type';

  constructor() {
    super('The file is no ZIP archive.');
  }
}

/** The archive, or what it unpacks to, has more bytes than are accepted. */
export class ArchiveTooLarge extends DomainError {
  readonly code = 'file_too_large';

  constructor(maxBytes: number) {
    super(`The archive has more than the ${maxBytes} bytes that system.import_max_bytes allows.`);
  }
}

/** The archive is damaged, hostile, of another product or of a later version; `entry` says where. */
export class ArchiveInvalid extends DomainError {
  readonly code = 'archive_invalid';

  /**
   * @param entry the name of the entry, which can be shown; null: the archive as a whole
   * @param problem what is wrong with it, as the end of a sentence
   */
  constructor(entry: string | null, problem: string, options?: ErrorOptions) {
    super(
      `${entry === null ? 'The archive' : `The entry ${entry}`} ${problem}.`,
      { entry },
      options,
    );
  }
}
