import { availableParallelism } from 'node:os';

function compileTo(parser) {
  return {
    jsc: { parser, target: 'es2024', transform: { react: { runtime: 'automatic' } } },
    module: { type: 'es6' },
    sourceMaps: 'inline',
  };
}

/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/jest/node-realm-environment.js',
  globalSetup: '<rootDir>/test/support/jest/global-setup.js',
  globalTeardown: '<rootDir>/test/support/jest/global-teardown.js',
  runner: '<rootDir>/test/support/jest/ordered-runner.js',
  testRunner: '<rootDir>/test/support/jest/timed-circus.js',
  // Many suites wait for processes, disks and clocks most of the time: meanwhile others compute.
  // A number, because Jest takes a percentage above 100 for a number of workers.
  maxWorkers: Math.ceil(availableParallelism() * 1.5),
  testMatch: ['**/*.test.{ts,tsx}'],
  testPathIgnorePatterns: ['/node_modules/', '<rootDir>/(data|backups|.cache)/'],
  modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/data/', '<rootDir>/backups/'],
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  transform: {
    '^.+\\.ts$': ['@swc/jest', compileTo({ syntax: 'typescript' })],
    '^.+\\.tsx$': ['@swc/jest', compileTo({ syntax: 'typescript', tsx: true })],
  },
  // Vite resolves these for the console.
  moduleNameMapper: {
    '^virtual:endpoints$': '<rootDir>/apps/console/build/checked-endpoints.ts',
    '\\.css$': '<rootDir>/apps/console/src/testing/no-styles.ts',
  },
  // For tests and hooks that hang; how long one takes that does not is the machine's business.
  testTimeout: 300_000,
  // Jest keeps much of what a suite has loaded. Where nothing ends the workers, marking their heaps takes a fourth of all CPU
  // time after 80 suites, and more after others.
  workerIdleMemoryLimit: '400MB',
  // Giving a large heap back takes a busy machine longer than the half second that Jest waits for.
  workerGracefulExitTimeout: 10_000,
  reporters: ['default', '<rootDir>/test/support/jest/closing-line-reporter.js'],
};
