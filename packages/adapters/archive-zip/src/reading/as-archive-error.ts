import {
  ArchiveInvalid,
  ArchiveTooLarge,
  NotAnArchive,
} from '@sightline/core/transfer/archive-errors';
import { NotAZip, ZipRefused, ZipTooLarge } from '../zip-reading/zip-errors.ts';

/** Converts errors of ZIP reading to errors of archives; returns other errors unchanged. */
export function asArchiveError(cause: unknown): unknown {
  if (cause instanceof NotAZip) return new NotAnArchive();
  if (cause instanceof ZipTooLarge) return new ArchiveTooLarge(cause.maxBytes);
  if (!(cause instanceof ZipRefused)) return cause;
  return new ArchiveInvalid(cause.entry, cause.problem, { cause });
}
