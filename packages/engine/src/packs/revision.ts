import { createHash } from 'node:crypto';
import type { PackComponent } from './manifest.ts';

/** Everything in a component that determines its outputs, in a fixed order. */
function identity(component: PackComponent): unknown[] {
  return [
    component.role,
    component.architecture,
    component.sha256,
    [component.input.width, component.input.height],
    component.mean,
    component.std,
    component.color_order,
    component.embedding_dim ?? null,
    component.classes ?? null,
    // Only if set, so that packs without them keep their revision.
    ...(component.score_floor === undefined ? [] : [component.score_floor]),
    ...(component.tokenizer?.map((file) => file.sha256) ?? []),
  ];
}

/**
 * SHA-256 (hex) of the components' digests and of how they are fed and decoded: packs with the same
 * revision give the same results. The order of the components, file names and facts about the pack
 * (version, license) do not matter.
 */
export function packRevision(components: readonly PackComponent[]): string {
  const rows = components.map((component) => JSON.stringify(identity(component))).sort();
  return createHash('sha256').update(rows.join('\n')).digest('hex');
}
