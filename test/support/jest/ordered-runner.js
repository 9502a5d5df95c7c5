import TestRunner from 'jest-runner';

/**
 * Suites in which a process is hung or slow until its callers give up: beside others, on few cores,
 * what is only busy would be given up too. The two that only kill or fill need not be spared that.
 */
const ALONE = /\/test\/faults\/(?!kill|disk-full)/;

/** Suites of whole processes, which take longest: what is begun last is to be over soon. */
const LONG = /\/test\/(faults|acceptance)\//;

/** Runs files beside each other, those that wait for processes first, then some alone. */
export default class OrderedRunner extends TestRunner {
  async runTests(tests, watcher, options) {
    const together = tests.filter(({ path }) => !ALONE.test(path));
    const long = together.filter(({ path }) => LONG.test(path));
    const short = together.filter(({ path }) => !LONG.test(path));
    await super.runTests([...long, ...short], watcher, options);
    const alone = tests.filter(({ path }) => ALONE.test(path));
    await super.runTests(alone, watcher, { ...options, serial: true });
  }
}
