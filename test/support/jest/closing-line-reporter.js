import { relative } from 'node:path';
import { leftOut } from './left-out.js';

const REASON = /\[skipped: ([^\]]+)\]/;
const LISTED_SUITES = 10;

/** Ends a run with the slowest suites, the suites that were skipped and why, and one line with the counts. */
export default class ClosingLineReporter {
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    // A file that fails to load has no tests to count, but is a failure.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${results.numPendingTests} skipped`;
    const slowest = slowestSuites(results, this.#rootDir);
    const late = leftOut().map(
      (path) =>
        `skipped: ${relative(this.#rootDir, path)}: all other suites took the time of the run`,
    );
    const lines = [...slowest, ...skippedSuites(results), ...late, line];
    // Jest prints its own summary after the reporters, and CI reads the counts from the last line.
    process.on('exit', () => console.log(lines.join('\n')));
  }
}

/** One line per suite, in wall-clock seconds; other suites run at the same time. */
function slowestSuites({ testResults }, rootDir) {
  if (testResults.length <= LISTED_SUITES) return [];
  const bySeconds = testResults
    .map(({ perfStats, testFilePath }) => ({ ms: perfStats.runtime, path: testFilePath }))
    .toSorted((a, b) => b.ms - a.ms);
  return bySeconds
    .slice(0, LISTED_SUITES)
    .map(({ ms, path }) => `${(ms / 1000).toFixed(1).padStart(6)} s  ${relative(rootDir, path)}`);
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
