import { readdir, readFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { expect, test } from '@jest/globals';
import { EmbeddedFaceVectors } from './embedded-face-vectors.ts';

/** The priorities of the threads of this process. */
async function priorities(): Promise<readonly number[]> {
  const threads = await readdir('/proc/self/task');
  const stats = await Promise.all(
    threads.map((thread) => readFile(`/proc/self/task/${thread}/stat`, 'utf8').catch(() => '')),
  );
  // The name of a thread, in parentheses, may have spaces. The priority is the 17th field behind it.
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]));
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('the thread that searches open faces has a lower priority than the others', async () => {
  const low = (all: readonly number[]) =>
    all.filter((one) => one === constants.priority.PRIORITY_BELOW_NORMAL).length;
  const before = low(await priorities());
  await using vectors = new EmbeddedFaceVectors();
  await vectors.strangers({ environmentId: 1, modelId: 1, dimension: 2 });
  expect(low(await priorities())).toBe(before + 1);
});
