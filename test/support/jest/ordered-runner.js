import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import TestRunner from 'jest-runner';
import { readRunClock, skippedResult, stoppedResult } from './run-clock.ts';
import { orderSuites } from './suite-order.ts';
import { endPlatforms } from './test-run.ts';

/** The time in ms for which a stopped run waits until its workers have ended. */
const WORKERS_END_MS = 20_000;
/** The time in ms for the teardown of a stopped run. Then it exits, even if a suite in its own process goes on. */
const TEARDOWN_MS = 15_000;
/** The exit code of a run that SIGTERM stopped. */
const TERMINATED = 143;

/**
 * Runs suites in the order of `suite-order.ts`. SIGTERM stops the run: the suites that run then are reported with their tests
 * so far, the others as skipped, and Jest ends as after any run, with its reports and its teardown.
 */
export default class OrderedRunner extends TestRunner {
  /** Jest's listeners of results, which get those of a stopped run, too. */
  #listeners = {};
  /** The tests that have ended, by the suite that runs. */
  #running = new Map();
  #begun = new Set();
  #isStopped = false;
  #onInterrupt = [];

  constructor(...given) {
    super(...given);
    super.on('test-file-start', ([test]) => {
      this.#begun.add(test.path);
      this.#running.set(test.path, []);
    });
    super.on('test-case-result', ([path, result]) => void this.#running.get(path)?.push(result));
  }

  async runTests(tests, watcher, options) {
    const { promise: stopped, resolve: stop } = Promise.withResolvers();
    process.once('SIGTERM', stop);
    const phases = this.#runPhases(tests, watcher, options);
    const stopping = stopped.then(() => this.#stop(tests));
    try {
      await Promise.race([phases, stopping]);
      if (!this.#isStopped) return;
      await stopping;
      if (options.serial) return;
      await Promise.race([phases, delay(WORKERS_END_MS, undefined, { ref: false })]);
    } finally {
      process.off('SIGTERM', stop);
      if (this.#isStopped)
        void delay(TEARDOWN_MS, undefined, { ref: false }).then(() => process.exit());
    }
  }

  on(name, listener) {
    if (name !== 'test-file-success' && name !== 'test-file-failure')
      return super.on(name, listener);
    this.#listeners[name] = listener;
    return super.on(name, (event) => {
      // The suites of a stopped run have been reported.
      if (this.#isStopped) return undefined;
      this.#running.delete(event[0].path);
      return listener(event);
    });
  }

  async #runPhases(tests, watcher, options) {
    const { rootDir } = this._globalConfig;
    const suites = tests.map((test) => ({ path: relative(rootDir, test.path), test }));
    const read = ({ test }) => readFileSync(test.path, 'utf8');
    for (const phase of orderSuites(suites, commitOf(rootDir), read)) {
      if (this.#isStopped) return;
      const selected = phase.suites.map(({ test }) => test);
      await super.runTests(selected, this.#stoppable(watcher), options);
      if (phase.name === 'platform' || phase.name === 'deferred') await endPlatforms();
    }
  }

  /** A watcher that is interrupted when the run is stopped, too. */
  #stoppable(watcher) {
    return {
      isInterrupted: () => watcher.isInterrupted() || this.#isStopped,
      on: (name, listener) => {
        this.#onInterrupt.push(() => listener({ interrupted: true }));
        return watcher.on(name, listener);
      },
    };
  }

  async #stop(tests) {
    this.#isStopped = true;
    process.exitCode = TERMINATED;
    const { rootDir } = this._globalConfig;
    const hasHung = Date.now() > readRunClock(process.env).end;
    for (const test of tests) {
      const cases = this.#running.get(test.path);
      const result =
        cases === undefined
          ? skippedResult(rootDir, test.path)
          : stoppedResult(rootDir, test.path, { cases, hasHung });
      if (cases !== undefined || !this.#begun.has(test.path)) {
        await this.#listeners['test-file-success']([test, result]);
      }
    }
    // Jest's runner ends its workers now.
    for (const interrupt of this.#onInterrupt) interrupt();
  }
}

/** The commit under test, or an empty string without Git. */
function commitOf(folder) {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, stdio: 'pipe' }).toString();
  } catch {
    return '';
  }
}
