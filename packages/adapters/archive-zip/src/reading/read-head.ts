import { ArchiveHead } from '@sightline/contracts/archive/archive-head';
import {
  ARCHIVE_VERSION,
  HEAD_ENTRY,
  IDENTITIES_ENTRY,
  MODELS_ENTRY,
} from '@sightline/contracts/archive/archive-layout';
import { ArchivedIdentity } from '@sightline/contracts/archive/archived-identity';
import { ArchivedModel as ModelRecord } from '@sightline/contracts/archive/archived-model';
import type { NewIdentity } from '@sightline/core/identities/identity';
import { identityKey } from '@sightline/core/identities/identity-key';
import { normalizeLabel } from '@sightline/core/identities/label';
import { ArchiveInvalid } from '@sightline/core/transfer/archive-errors';
import { ARCHIVE_LIMITS } from '@sightline/core/transfer/archive-limits';
import type { ArchivedModel } from '@sightline/core/transfer/archive-reader';
import { z } from 'zod';
import type { ArchiveEntries } from './archive-entries.ts';
import { readRecord } from './read-lines.ts';

const MAX_HEAD_BYTES = 64 * 1024;
const { models: MAX_MODELS, identitiesBytes: MAX_IDENTITIES_BYTES } = ARCHIVE_LIMITS;

const Versioned = z.object({ format: z.literal('sightline-archive'), version: z.int().min(1) });

/**
 * Returns the folder that contains the archive's head, with a slash at the end; empty for the top level.
 *
 * @throws ArchiveInvalid if the file is no archive of Sightline, or has several
 */
export function folderOfHead(names: readonly string[]): string {
  if (names.includes(HEAD_ENTRY)) return '';
  const heads = names.filter((name) => name.endsWith(`/${HEAD_ENTRY}`));
  const [head] = heads;
  if (head === undefined) {
    throw new ArchiveInvalid(HEAD_ENTRY, 'is missing: this file is not a Sightline archive');
  }
  if (heads.length > 1) {
    throw new ArchiveInvalid(HEAD_ENTRY, 'occurs in several folders: import each archive alone');
  }
  return head.slice(0, -HEAD_ENTRY.length);
}

/** @throws ArchiveInvalid if the file is no archive of Sightline, or has a later version */
export async function checkHead(entries: ArchiveEntries): Promise<void> {
  const line = await entries.readWhole(HEAD_ENTRY, MAX_HEAD_BYTES);
  const text = { entry: HEAD_ENTRY, number: 1, line };
  const { version } = readRecord(text, Versioned);
  if (version > ARCHIVE_VERSION) {
    throw new ArchiveInvalid(
      HEAD_ENTRY,
      `has version ${version} of the format, but this service reads only versions up to ${ARCHIVE_VERSION}`,
    );
  }
  readRecord(text, ArchiveHead);
}

/** @throws ArchiveInvalid */
export async function readModels(entries: ArchiveEntries): Promise<readonly ArchivedModel[]> {
  const models = new Map<number, ArchivedModel>();
  const known = new Set<string>();
  for await (const record of entries.lines(MODELS_ENTRY, ModelRecord)) {
    const { model: id, name, revision, embedding_dim: embeddingDim } = record;
    const key = `${revision} ${name}`;
    if (models.has(id) || known.has(key)) throw twice(MODELS_ENTRY, `model ${id}`);
    if (models.size === MAX_MODELS) throw new ArchiveInvalid(MODELS_ENTRY, 'has too many models');
    known.add(key);
    models.set(id, { id, name, revision, embeddingDim });
  }
  return [...models.values()];
}

/** @throws ArchiveInvalid */
export async function readIdentities(
  entries: ArchiveEntries,
): Promise<ReadonlyMap<number, NewIdentity>> {
  const identities = new Map<number, NewIdentity>();
  const known = new Set<string>();
  if (entries.get(IDENTITIES_ENTRY).size > MAX_IDENTITIES_BYTES) {
    throw new ArchiveInvalid(IDENTITIES_ENTRY, `has more than ${MAX_IDENTITIES_BYTES} bytes`);
  }
  for await (const record of entries.lines(IDENTITIES_ENTRY, ArchivedIdentity)) {
    const { identity: id, type, label, external_ref, created_at } = record;
    const key = identityKey({ type, label });
    if (identities.has(id) || known.has(key)) throw twice(IDENTITIES_ENTRY, `identity ${id}`);
    if (!isNormalized(label)) {
      throw new ArchiveInvalid(IDENTITIES_ENTRY, `has no valid label for identity ${id}`);
    }
    known.add(key);
    const externalRef = external_ref === '' ? null : external_ref;
    identities.set(id, { type, label, externalRef, createdAt: new Date(created_at) });
  }
  return identities;
}

function isNormalized(label: string): boolean {
  try {
    return normalizeLabel(label) === label;
  } catch {
    return false;
  }
}

function twice(entry: string, what: string): ArchiveInvalid {
  return new ArchiveInvalid(entry, `has ${what} twice`);
}
