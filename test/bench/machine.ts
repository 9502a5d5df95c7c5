import { cpus } from 'node:os';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { env } from 'onnxruntime-node';

/** What the figures depend on, by its kind. */
export function describeMachine({ face, object }: SelectedPacks): ReadonlyMap<string, string> {
  const cores = cpus();
  const models = [face, object].map((pack) => {
    const files = pack?.manifest.components.map(({ file }) => file) ?? [];
    return `${pack?.manifest.name} (${files.join(', ')})`;
  });
  return new Map([
    ['processor', `${cores[0]?.model ?? 'unknown'}, ${cores.length} cores`],
    ['Node', process.versions.node],
    ['onnxruntime', env.versions.node ?? env.versions.common],
    ['models', models.join('; ')],
  ]);
}
