import type { HeldModel, NamedModels } from './analyzer-status.ts';
import type { HostWish } from './model-hosts.ts';
import { namesOf } from './model-registry.ts';
import type { ModelRoles } from './model-store.ts';

/**
 * What hosts are to hold: the active models and, beside them, what is pending, else what was active a moment
 * ago. Null if no model is active.
 */
export function wishOf(
  { active, pending, previous }: ModelRoles,
  provider: HostWish['provider'],
): HostWish | null {
  const first = namesOf(active);
  if (first.face === undefined && first.object === undefined) return null;
  const beside = pending.length > 0 ? pending : previous;
  const sets: NamedModels[] = [first];
  if (beside.length > 0) sets.push({ ...first, ...namesOf(beside) });
  return { provider, sets };
}

/** Whether a host has all models of a wish, or tries to get them. */
export function isTold(held: readonly HeldModel[], { sets }: HostWish): boolean {
  const revisions = sets.flatMap(({ face, object }) => [face, object]);
  const wished = new Set(revisions.filter((revision) => revision !== undefined));
  const known = new Set(held.map(({ revision }) => revision));
  return known.size === wished.size && [...wished].every((revision) => known.has(revision));
}
