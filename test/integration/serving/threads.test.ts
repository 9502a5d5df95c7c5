import { expect, test } from '@jest/globals';
import { InferenceProcess } from '../../support/services/inference-process.ts';

const MIB = 2 ** 20;

interface Machine {
  readonly cores: number;
  /** The memory limit of the container in bytes. */
  readonly memory: number;
}

/** A module that makes a process believe in another machine. */
function pretend({ cores, memory }: Machine): string {
  const code = `import os from 'node:os'; import { syncBuiltinESMExports } from 'node:module';
    os.availableParallelism = () => ${cores}; os.cpus = () => Array(${cores}).fill(os.cpus()[0]);
    process.constrainedMemory = () => ${memory}; syncBuiltinESMExports();`;
  return `--import=data:text/javascript;base64,${Buffer.from(code).toString('base64')}`;
}

async function runtimeOn(machine: Machine, settings: Readonly<Record<string, string>>) {
  const options = { NODE_OPTIONS: pretend(machine), ...settings };
  await using inference = await InferenceProcess.prepare(options);
  await inference.start();
  const { runtime } = (await (await fetch(`${inference.opsUrl}/models`)).json()) as Report;
  return runtime;
}

interface Report {
  readonly runtime: { readonly threads: number; readonly memoryBytes: number };
}

test.each([8, 64])(
  'a pod on a node with %d cores runs the threads that its resources allow',
  async (cores) => {
    const { threads, memoryBytes } = await runtimeOn(
      { cores, memory: 1536 * MIB },
      { SIGHTLINE_WORKERS: '2' },
    );
    expect(threads).toBe(2);
    expect(memoryBytes).toBeGreaterThan(60 * MIB);
    expect(memoryBytes).toBeLessThan(768 * MIB);
  },
);

test('a process starts fewer threads than configured if their models do not fit into its memory', async () => {
  const crowded = await runtimeOn({ cores: 64, memory: 360 * MIB }, { SIGHTLINE_WORKERS: '64' });
  expect(crowded.threads).toBeLessThan(16);
  expect(crowded.memoryBytes).toBeLessThan(360 * MIB);
  const least = await runtimeOn({ cores: 64, memory: 100 * MIB }, { SIGHTLINE_WORKERS: '64' });
  expect(least.threads).toBe(1);
});
