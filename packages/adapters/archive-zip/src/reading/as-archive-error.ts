import {
  ArchiveInvalid,
  ArchiveTooLarge,
  NotAnArchive,
} from '@sightline/core/transfer/archive-errors';
import { NotAZip, ZipRefused, ZipTooLarge } from '../zip-reading/zip-errors.ts';

/** What the reading of a ZIP threw, as an error of archives; other errors as they are. */
export function asArchiveError(cause: unknown): unknown {
  if (cause instanceof NotAZip) return new NotAnArchive();
  if (cause instanceof ZipTooLarge) return new ArchiveTooLarge(cause.maxBytes);
  if (!(cause instanceof ZipRefused)) return cause;
  return new ArchiveInvalid(cause.entry, cause.problem, { cause });
}
