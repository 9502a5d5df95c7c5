import type { Database, Stores, Transaction } from '../database/database.ts';
import { identitiesByName } from '../database/identities-by-name.ts';
import { identityCreated } from '../events/identity-events.ts';
import type { NewIdentity } from '../identities/identity.ts';
import { identityKey } from '../identities/identity-key.ts';
import type { ImportImageOptions } from '../recognition/import-image.ts';
import type { EntityLock } from '../store/entity-lock.ts';
import type { Scope } from '../store/scope.ts';
import type { ReadableArchive } from './archive-reader.ts';

export interface IdentitiesToImport {
  readonly scope: Scope;
  readonly archive: Pick<ReadableArchive, 'identities'>;
}

/** The number of identities per transaction, because a transaction with more locks would block other writers for long. */
const PART = 200;

/**
 * Creates the missing identities of an archive. Existing identities without an external reference get that of the
 * archive.
 *
 * @returns the number of created identities
 * @throws StoreUnavailable; the errors of `check`
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
    const write = async (tx: Transaction) => {
      const count = await importPart(tx, part);
      await check?.(tx);
      return count;
    };
    created += await database.withEntities({ ...scope, locks: locksOf(before) }, write, signal);
  }
  return created;
}

interface Comparison {
  readonly missing: readonly NewIdentity[];
  /** The existing identities without an external reference, each with that of the archive. */
  readonly nameless: readonly { readonly id: number; readonly externalRef: string }[];
}

async function compare(
  stores: Pick<Stores, 'identities'>,
  archived: readonly NewIdentity[],
): Promise<Comparison> {
  const known = await identitiesByName(stores, archived);
  return {
    missing: archived.filter((identity) => !known.has(identityKey(identity))),
    nameless: archived.flatMap((identity) => {
      const there = known.get(identityKey(identity));
      const { externalRef } = identity;
      return there?.externalRef === null && externalRef !== null
        ? [{ id: there.id, externalRef }]
        : [];
    }),
  };
}

async function importPart(tx: Transaction, archived: readonly NewIdentity[]): Promise<number> {
  const comparison = await compare(tx, archived);
  tx.require(...locksOf(comparison));
  const { missing, nameless } = comparison;
  for (const { id, externalRef } of nameless) await tx.identities.setExternalRef(id, externalRef);
  const created = await tx.identities.insert(missing);
  await tx.emit(...created.map(identityCreated));
  return created.length;
}

function locksOf({ missing, nameless }: Comparison): readonly EntityLock[] {
  return [
    ...missing.map(({ type, label }): EntityLock => ({ entity: 'label', type, label })),
    ...nameless.map(({ id }): EntityLock => ({ entity: 'identity', id, mode: 'exclusive' })),
  ];
}
