import { DomainError } from '../domain-error.ts';

/** The content of the file is not a ZIP archive. */
export class NotAnArchive extends DomainError {
  readonly code = 'unsupported_media_type';

  constructor() {
    super('The file is not a ZIP archive.');
  }
}

/** The archive is larger than the limit, packed or unpacked. */
export class ArchiveTooLarge extends DomainError {
  readonly code = 'file_too_large';

  constructor(maxBytes: number) {
    super(`The archive has more than the ${maxBytes} bytes that system.import_max_bytes allows.`);
  }
}

/** The archive is damaged, hostile, of another product or of a later version. The fact `entry` names the bad entry. */
export class ArchiveInvalid extends DomainError {
  readonly code = 'archive_invalid';

  /**
   * @param entry the name of the bad entry, which must be safe to print; null if the archive as a whole is invalid
   * @param problem the end of a sentence that starts with "The archive" or "The entry"
   */
  constructor(entry: string | null, problem: string, options?: ErrorOptions) {
    super(
      `${entry === null ? 'The archive' : `The entry ${entry}`} ${problem}.`,
      { entry },
      options,
    );
  }
}
