import { createHash } from 'node:crypto';
import type { PackComponent } from './manifest.ts';

/** Everything of a component that its outputs depend on, in one fixed order. */
function identity(component: PackComponent): unknown[] {
  return [
    component.role,
    component.architecture,
    component.sha256,
    [component.input.width, component.input.height],
    component.mean,
    component.std,
    component.colour_order,
    component.embedding_dim ?? null,
    component.classes ?? null,
    // Only where it is there: packs without it keep the revision that they had before it existed.
    ...(component.score_floor === undefined ? [] : [component.score_floor]),
  ];
}

/**
 * SHA-256 (hex) over the digests of the components and how they are fed and read: packs with the
 * same revision give the same answers. The order of the components, names of files and facts about
 * the pack (version, licence) do not matter.
 */
export function packRevision(components: readonly PackComponent[]): string {
  const rows = components.map((component) => JSON.stringify(identity(component))).sort();
  return createHash('sha256').update(rows.join('\n')).digest('hex');
}
