import circus from 'jest-circus/runner';
import { ownCpuSeconds } from './cpu-seconds.ts';
import { mayBegin, readRunClock, skippedResult } from './run-clock.ts';

// SIGTERM to the processes of a run stops it, and Jest ends its workers after it has reported their suites.
if (process.send !== undefined) process.on('SIGTERM', () => undefined);

/**
 * Runs a suite with jest-circus, and adds its CPU seconds to the result. If the run has no time left, the suite is not even
 * imported, and is reported as skipped.
 */
export default async function runSuite(globalConfig, config, environment, runtime, path, send) {
  const { rootDir } = config;
  if (!mayBegin(path.slice(rootDir.length + 1), readRunClock(process.env), Date.now())) {
    return skippedResult(rootDir, path);
  }
  const before = ownCpuSeconds();
  const result = await circus.default(globalConfig, config, environment, runtime, path, send);
  return { ...result, cpuSeconds: before === null ? null : ownCpuSeconds() - before };
}
