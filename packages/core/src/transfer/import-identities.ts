import type { Database, Stores, Transaction } from '../database/database.ts';
import type { DetectionType } from '../detection-type.ts';
import { identityCreated } from '../events/identity-events.ts';
import type { Identity, NewIdentity } from '../identities/identity.ts';
import type { ImportImageOptions } from '../recognition/import-image.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import type { ReadableArchive } from './archive-reader.ts';

export interface IdentitiesToImport {
  readonly scope: Scope;
  readonly archive: Pick<ReadableArchive, 'identities'>;
}

/** Identities of one transaction; with more locks it would hold up the environment. */
const PART = 200;

/**
 * Creates the identities of an archive that are not there, and gives those that are there the
 * external reference of the archive if they have none.
 *
 * @returns how many were created
 * @throws StoreUnavailable; what `check` throws
 */
export async function importIdentities(
  database: Database,
  { scope, archive }: IdentitiesToImport,
  { signal, check }: ImportImageOptions = {},
): Promise<number> {
  const archived = [...archive.identities.values()];
  let created = 0;
  for (let start = 0; start < archived.length; start += PART) {
    const part = archived.slice(start, start + PART);
    const before = await database.withScope(scope, (stores) => compare(stores, part), signal);
    if (before.missing.length + before.nameless.length === 0) continue;
    const locks = before.missing.map(({ type, label }): EntityLock => ({
      entity: 'label',
      type,
      label,
    }));
    const write = async (tx: Transaction) => {
      const count = await importPart(tx, part);
      await check?.(tx);
      return count;
    };
    created += await database.withEntities({ ...scope, locks }, write, signal);
  }
  return created;
}

interface Comparison {
  readonly missing: readonly NewIdentity[];
  /** Those that get the external reference of the archive. */
  readonly nameless: readonly { readonly id: number; readonly externalRef: string }[];
}

async function compare(
  { identities }: Pick<Stores, 'identities'>,
  archived: readonly NewIdentity[],
): Promise<Comparison> {
  const labelsOf = (of: DetectionType) =>
    archived.filter(({ type }) => type === of).map(({ label }) => label);
  const [faces, objects] = await Promise.all([
    identities.byLabels('face', labelsOf('face')),
    identities.byLabels('object', labelsOf('object')),
  ]);
  const key = ({ type, label }: Pick<Identity, 'type' | 'label'>) => `${type} ${label}`;
  const known = new Map([...faces, ...objects].map((identity) => [key(identity), identity]));
  return {
    missing: archived.filter((identity) => !known.has(key(identity))),
    nameless: archived.flatMap((identity) => {
      const there = known.get(key(identity));
      const { externalRef } = identity;
      return there?.externalRef === null && externalRef !== null
        ? [{ id: there.id, externalRef }]
        : [];
    }),
  };
}

async function importPart(tx: Transaction, archived: readonly NewIdentity[]): Promise<number> {
  const { missing, nameless } = await compare(tx, archived);
  tx.require(
    ...missing.map(({ type, label }): EntityLock => ({ entity: 'label', type, label })),
    ...nameless.map(({ id }): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
  );
  for (const { id, externalRef } of nameless) await tx.identities.setExternalRef(id, externalRef);
  const created = await tx.identities.insert(missing);
  await tx.emit(...created.map(identityCreated));
  return created.length;
}
