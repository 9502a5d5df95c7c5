import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SelectedPacks } from '@sightline/engine/packs/select-packs';
import { env } from 'onnxruntime-node';

/** What the figures depend on, by its kind; to be asked before anything is measured. */
export async function describeMachine(models: SelectedPacks): Promise<ReadonlyMap<string, string>> {
  const cores = cpus();
  return new Map([
    ['processor', `${cores[0]?.model ?? 'unknown'}, ${cores.length} cores`],
    ['idle before the run', `${Math.round(100 * (await idleShare()))} %`],
    ['Node', process.versions.node],
    ['onnxruntime', env.versions.node ?? env.versions.common],
    ['models', [models.face, models.object].map(describePack).join('; ')],
  ]);
}

function describePack(pack: SelectedPacks['face']): string {
  if (pack === null) return 'none';
  const files = pack.manifest.components.map(({ file }) => file);
  return `${pack.manifest.name} (${files.join(', ')})`;
}

/** Of all cores during two seconds: tells whether others use the machine too. */
async function idleShare(): Promise<number> {
  const before = coreTimes();
  await sleep(2000);
  const after = coreTimes();
  return (after.idle - before.idle) / (after.all - before.all);
}

function coreTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((core) => core.times);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  return {
    idle: sum(times.map(({ idle }) => idle)),
    all: sum(times.flatMap((core) => Object.values(core))),
  };
}
