import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelPack } from '@sightline/engine/packs/manifest';
import { env } from 'onnxruntime-node';
import type { Subject } from './subjects.ts';

/** The origin of the figures. */
export interface ReportHead {
  readonly command: string;
  readonly machine: ReadonlyMap<string, string>;
}

/**
 * The properties of the machine and the models on which the figures depend. To be called before any
 * measurement, because it also measures how idle the machine is.
 */
export async function describeMachine(
  subjects: readonly Subject[],
): Promise<ReadonlyMap<string, string>> {
  return new Map([
    ...(await describeCores()),
    ['onnxruntime', env.versions.node ?? env.versions.common],
    ['models', subjects.flatMap(({ packs }) => packs.map(describePack)).join('; ')],
  ]);
}

/** The properties that do not depend on models. */
export async function describeCores(): Promise<ReadonlyMap<string, string>> {
  const cores = cpus();
  return new Map([
    ['processor', `${cores[0]?.model ?? 'unknown'}, ${cores.length} cores`],
    ['idle before the run', `${Math.round(100 * (await idleShare()))} %`],
    ['Node', process.versions.node],
  ]);
}

function describePack({ manifest }: ModelPack): string {
  return `${manifest.name} (${manifest.components.map(({ file }) => file).join(', ')})`;
}

/** The idle share of all cores during two seconds, 0..1: it shows whether other processes use the machine. */
export async function idleShare(): Promise<number> {
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
