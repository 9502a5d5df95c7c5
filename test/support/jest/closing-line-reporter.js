import { relative } from 'node:path';

const REASON = /\[skipped: ([^\]]+)\]/;
const RECORDING = /\[replayed: ([^\]]+)\]/;
const LISTED_SUITES = 10;

/**
 * Ends a run with the suites that were skipped and why, those that met a recording instead of a server,
 * the suites that took longest, then one line with the counts.
 */
export default class ClosingLineReporter {
  #rootDir;

  constructor({ rootDir }) {
    this.#rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const skipped = new Map();
    for (const file of results.testResults) {
      for (const test of file.testResults) {
        if (test.status !== 'pending') continue;
        const title = test.ancestorTitles[0] ?? test.title;
        const reason = REASON.exec(test.fullName)?.[1] ?? 'no reason given';
        skipped.set(`${title.replace(REASON, '').trim()}: ${reason}`, true);
      }
    }
    for (const line of skipped.keys()) console.log(`skipped: ${line}`);
    for (const line of replayedSuites(results)) console.log(`replayed: ${line}`);
    // A file that does not even load has no tests to count, but it is a failure all the same.
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const line = `${results.numPassedTests} passed, ${failed} failed, ${results.numPendingTests} skipped`;
    const slowest = slowestSuites(results, this.#rootDir);
    // Jest prints its own summary after the reporters: the counts are to be the last line of all.
    process.on('exit', () => console.log([...slowest, line].join('\n')));
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

function replayedSuites(results) {
  const tests = results.testResults.flatMap((file) => file.testResults);
  const titles = tests.map(({ ancestorTitles }) => ancestorTitles[0] ?? '');
  const replayed = titles.filter((title) => RECORDING.test(title));
  return new Set(
    replayed.map((title) => `${title.replace(RECORDING, '').trim()}: ${RECORDING.exec(title)[1]}`),
  );
}
