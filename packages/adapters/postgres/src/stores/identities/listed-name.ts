import type { SQL } from 'drizzle-orm';
import type { IdentityFilter, IdentityPosition } from '@sightline/core/identities/identity-store';
import { sql } from '../../drizzle.ts';
import { identities } from '../../schema/identities.ts';

/**
 * Selects the identities whose names contain a text, for one page of a list. The result may contain identities of later
 * pages, so the list query must still limit it.
 */
export function listedName(
  name: string,
  { type, externalRef }: IdentityFilter,
  { after, limit }: { readonly after: IdentityPosition | null; readonly limit: number | null },
): SQL {
  const filter = sql`${type ?? null}, ${externalRef ?? null}`;
  const position = sql`${after?.label ?? null}, ${after?.type ?? null}, ${after?.id ?? null}`;
  const count = limit === null ? null : limit + 1;
  return sql`${identities.id} in (select names_listed(${name}, ${filter}, ${position}, ${count}))`;
}
