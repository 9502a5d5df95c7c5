import { cpus } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { env } from 'onnxruntime-node';
import type { Subject } from './subjects.ts';

/** The properties of the machine on which the figures depend, as rows of a name and a value. */
export async function describeMachine(): Promise<string[][]> {
  const cores = cpus();
  return [
    ['processor', `${cores[0]?.model ?? 'unknown'}, ${cores.length} cores`],
    ['idle before the run', `${Math.round(100 * (await idleShare()))} %`],
    ['Node', process.versions.node],
  ];
}

export function describeModels(subjects: readonly Subject[]): string[][] {
  const packs = subjects.flatMap((subject) => subject.packs);
  const described = packs.map(
    ({ manifest: { name, components } }) =>
      `${name} (${components.map(({ file }) => file).join(', ')})`,
  );
  return [
    ['onnxruntime', env.versions.node ?? env.versions.common],
    ['models', described.join('; ')],
  ];
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
