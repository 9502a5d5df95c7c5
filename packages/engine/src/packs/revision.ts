import { createHash } from 'node:crypto';
import type { PackComponent } from './manifest.ts';

/** Returns everything in a component that determines its outputs, in a fixed order. */
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
    // These fields are included only if they are set, so that packs without it keep their revision.
    ...(component.score_floor === undefined ? [] : [component.score_floor]),
    ...(component.letterbox === undefined ? [] : [component.letterbox]),
    ...(component.tokenizer?.map((file) => file.sha256) ?? []),
  ];
}

/**
 * Returns the SHA-256 (hex) of the components' digests and of how they are fed and decoded, so that
 * packs with the same revision give the same results. The revision does not depend on the order of
 * the components, file names or facts about the pack (version, license).
 */
export function packRevision(components: readonly PackComponent[]): string {
  const rows = components.map((component) => JSON.stringify(identity(component))).sort();
  return createHash('sha256').update(rows.join('\n')).digest('hex');
}
