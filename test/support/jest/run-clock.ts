import { createEmptyTestResult, type AssertionResult, type TestResult } from '@jest/test-result';
import { relative } from 'node:path';
import { isDeferred } from './suite-order.ts';

/** The minutes before the end of a run in which no deferred suite begins. */
const DEFERRED_END_MINUTES = 15;
const NO_TIME = 'no time was left';

/** The times of a run, in ms since 1970. */
export interface RunClock {
  /** After it no suite begins. Infinity if the run has no time limit. */
  readonly end: number;
  /** After it no deferred suite begins. */
  readonly deferredEnd: number;
}

/**
 * Reads the time limit of a run.
 *
 * @param environment SIGHTLINE_TEST_END holds the end in seconds since 1970; without it a run takes all suites
 * @throws Error if the end is not a number
 */
export function readRunClock({ SIGHTLINE_TEST_END: end }: NodeJS.ProcessEnv): RunClock {
  if (end === undefined || end === '') return { end: Infinity, deferredEnd: Infinity };
  const ms = Number(end) * 1000;
  if (Number.isNaN(ms)) throw new Error('SIGHTLINE_TEST_END must be in seconds since 1970.');
  return { end: ms, deferredEnd: ms - DEFERRED_END_MINUTES * 60_000 };
}

/** @param path the suite's path, relative to the root of the project */
export function mayBegin(path: string, clock: RunClock, now: number): boolean {
  return now < (isDeferred(path) ? clock.deferredEnd : clock.end);
}

/** The result of a suite for which no time was left: one pending test, whose title names the suite. */
export function skippedResult(rootDir: string, testFilePath: string): TestResult {
  const title = `${relative(rootDir, testFilePath)} [skipped: ${NO_TIME}]`;
  return resultOf(testFilePath, [assertion(title, 'pending')]);
}

/**
 * The result of a suite that was stopped while it ran: its tests so far, and one for the suite itself. This one is pending
 * if the run was stopped early. After the end of the run's time, the suite has hung and failed.
 */
export function stoppedResult(
  rootDir: string,
  testFilePath: string,
  { cases, hasHung }: { readonly cases: readonly AssertionResult[]; readonly hasHung: boolean },
): TestResult {
  const path = relative(rootDir, testFilePath);
  if (!hasHung) {
    const { testResults } = skippedResult(rootDir, testFilePath);
    return resultOf(testFilePath, [...cases, ...testResults]);
  }
  const message = `${path} was stopped, because it still ran long after the end of the run's time.`;
  return resultOf(testFilePath, [...cases, assertion(`${path} [stopped]`, 'failed', message)]);
}

function assertion(
  title: string,
  status: 'pending' | 'failed',
  ...failureMessages: string[]
): AssertionResult {
  return {
    ancestorTitles: [],
    title,
    fullName: title,
    status,
    duration: 0,
    failureDetails: [],
    failureMessages,
    invocations: 0,
    location: null,
    numPassingAsserts: 0,
  };
}

function resultOf(testFilePath: string, testResults: AssertionResult[]): TestResult {
  const count = (status: AssertionResult['status']) =>
    testResults.filter((each) => each.status === status).length;
  const failures = testResults.flatMap(({ failureMessages }) => failureMessages);
  return {
    ...createEmptyTestResult(),
    testFilePath,
    testResults,
    numPassingTests: count('passed'),
    numFailingTests: count('failed'),
    numPendingTests: count('pending'),
    failureMessage: failures.length === 0 ? null : failures.join('\n\n'),
  };
}
