import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { platform } from 'node:process';
import { expect, test } from '@jest/globals';
import { cpuSecondsOfTree, ownCpuSeconds } from './cpu-seconds.ts';

const SECONDS = 0.3;
const BURN = `const end = process.cpuUsage().user + ${SECONDS * 1e6}; while (process.cpuUsage().user < end);`;
const onLinux = platform === 'linux' ? test : test.skip;

onLinux('a process counts its own time, and that of children which have ended', () => {
  const before = ownCpuSeconds()!;
  spawnSync(process.execPath, ['-e', BURN]);
  expect(ownCpuSeconds()! - before).toBeGreaterThan(SECONDS);
});

onLinux('a tree counts the descendants that still run', async () => {
  const nested = `require('child_process').spawn(process.execPath, ['-e', ${JSON.stringify(
    `${BURN} console.log('done'); setInterval(() => undefined, 1000);`,
  )}], { stdio: 'inherit' }); setInterval(() => undefined, 1000);`;
  const child = spawn(process.execPath, ['-e', nested], {
    detached: true,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  expect(cpuSecondsOfTree(child.pid!)).toBeGreaterThan(SECONDS);
  process.kill(-child.pid!, 'SIGKILL');
  await once(child, 'exit');
  expect(cpuSecondsOfTree(child.pid!)).toBeNull();
});
