/** @type {import('jest').Config} */
export default {
  testEnvironment: '<rootDir>/test/support/node-realm-environment.js',
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  testMatch: ['**/*.test.ts'],
  testPathIgnorePatterns: ['/node_modules/', '/data/', '/backups/', '/.cache/'],
  modulePathIgnorePatterns: ['<rootDir>/.cache/', '<rootDir>/data/', '<rootDir>/backups/'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2024' },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  testTimeout: 30_000,
  reporters: ['default', '<rootDir>/test/support/closing-line-reporter.js'],
};
