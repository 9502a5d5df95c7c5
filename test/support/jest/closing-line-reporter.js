import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { cpuSecondsOfTree } from './cpu-seconds.ts';

const REASON = /\[skipped: ([^\]]+)\]/;
const LISTED_SUITES = 10;
const LARGEST_CPU_SECONDS = 60;

/**
 * Ends a run with the slowest suites, those that took most CPU time, the suites that were skipped and why, the tests that failed, and one line with the
 * counts. SIGHTLINE_TEST_SECONDS names a file that gets the seconds of all suites.
 */
export default class ClosingLineReporter {
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    // A file that fails to load has no tests to count, but is a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${results.numPendingTests} skipped`;
    const seconds = suiteSeconds(results, this.#rootDir);
    const slowest = seconds.length <= LISTED_SUITES ? [] : seconds.slice(0, LISTED_SUITES);
    const failures = failedTests(results, this.#rootDir);
    const dear = dearSuites(results, this.#rootDir);
    const lines = [...slowest, ...dear, ...servers(), ...skippedSuites(results), ...failures, line];
    const { SIGHTLINE_TEST_SECONDS: file } = process.env;
    if (file !== undefined) appendFileSync(file, `${seconds.join('\n')}\n`);
    // Jest prints its own summary after the reporters, and CI reads the counts from the last line.
    process.on('exit', () => console.log(lines.join('\n')));
  }
}

/** One line per suite, in wall-clock seconds, the slowest first; other suites run at the same time. */
function suiteSeconds({ testResults }, rootDir) {
  return testResults
    .map(({ perfStats, testFilePath, cpuSeconds }) => ({
      ms: perfStats.runtime,
      cpu: cpuSeconds == null ? '' : ` (${cpuSeconds.toFixed(1)} of CPU)`,
      path: testFilePath,
    }))
    .toSorted((a, b) => b.ms - a.ms)
    .map(
      ({ ms, cpu, path }) =>
        `${(ms / 1000).toFixed(1).padStart(6)} s${cpu}  ${relative(rootDir, path)}`,
    );
}

/** One line per suite whose tests took more CPU time than a feature's tests should. */
function dearSuites({ testResults }, rootDir) {
  return testResults
    .filter(({ cpuSeconds }) => cpuSeconds > LARGEST_CPU_SECONDS)
    .toSorted((a, b) => b.cpuSeconds - a.cpuSeconds)
    .map(
      ({ cpuSeconds, testFilePath }) =>
        `${cpuSeconds.toFixed(0).padStart(6)} CPU seconds  ${relative(rootDir, testFilePath)}`,
    );
}

/** One line per server that suites share, which runs until the end. */
function servers() {
  const { SIGHTLINE_TEST_RUN: folder } = process.env;
  if (folder === undefined) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith('.pid'))
    .flatMap((name) => {
      const seconds = cpuSecondsOfTree(Number(readFileSync(join(folder, name), 'utf8')));
      const server = name.replace('.pid', '');
      return seconds === null
        ? []
        : `${seconds.toFixed(0).padStart(6)} CPU seconds  the server ${server}`;
    });
}

/** One line per failed test, and one per suite that failed as a whole. */
function failedTests({ testResults }, rootDir) {
  return testResults.flatMap(({ testFilePath, testExecError, testResults: tests }) => {
    const path = relative(rootDir, testFilePath);
    const failed = tests
      .filter(({ status }) => status === 'failed')
      .map(({ fullName }) => `failed: ${path}: ${fullName}`);
    return testExecError === undefined ? failed : [`failed: ${path}`, ...failed];
  });
}

function skippedSuites({ testResults }) {
  const tests = testResults.flatMap((file) => file.testResults);
  const lines = tests
    .filter(({ status }) => status === 'pending')
    .map(({ ancestorTitles, title, fullName }) => {
      const reason = REASON.exec(fullName)?.[1] ?? 'no reason given';
      return `skipped: ${(ancestorTitles[0] ?? title).replace(REASON, '').trim()}: ${reason}`;
    });
  return new Set(lines);
}
