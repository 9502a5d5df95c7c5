import { defineConfig } from 'oxlint';

/** The names in a list, separated by spaces, as rules that are errors. */
function errors(names: string, prefix = ''): Record<string, 'error'> {
  const list = names.trim().split(/\s+/);
  return Object.fromEntries(list.map((name) => [prefix + name, 'error']));
}

/** Faults of any script. */
const SCRIPTS = errors(`
  for-direction no-array-constructor no-async-promise-executor no-case-declarations no-compare-neg-zero
  no-cond-assign no-constant-binary-expression no-constant-condition no-control-regex no-debugger no-delete-var
  no-dupe-else-if no-duplicate-case no-empty no-empty-character-class no-empty-function no-empty-pattern
  no-empty-static-block no-ex-assign no-extra-boolean-cast no-fallthrough no-global-assign no-invalid-regexp
  no-irregular-whitespace no-loss-of-precision no-misleading-character-class no-nonoctal-decimal-escape
  no-prototype-builtins no-regex-spaces no-self-assign no-shadow-restricted-names no-sparse-arrays
  no-unassigned-vars no-unexpected-multiline no-unsafe-finally no-unsafe-optional-chaining
  no-unused-expressions no-unused-labels no-unused-private-class-members no-unused-vars
  no-useless-backreference no-useless-catch no-useless-constructor no-useless-escape no-var prefer-const
  prefer-rest-params prefer-spread preserve-caught-error require-yield use-isnan valid-typeof
`);

/** Faults that the compiler reports in TypeScript. */
const WITHOUT_COMPILER = errors(`
  constructor-super getter-return no-class-assign no-const-assign no-dupe-class-members no-dupe-keys
  no-func-assign no-import-assign no-new-native-nonconstructor no-obj-calls no-redeclare no-setter-return
  no-this-before-super no-undef no-unreachable no-unsafe-negation no-with
`);

/** Faults of TypeScript: the strict and the stylistic rules of typescript-eslint, most of which need types. */
const TYPESCRIPT = errors(
  `
  adjacent-overload-signatures array-type await-thenable ban-tslint-comment class-literal-property-style
  consistent-generic-constructors consistent-indexed-object-style consistent-type-assertions
  consistent-type-definitions consistent-type-imports dot-notation no-array-delete no-base-to-string
  no-confusing-non-null-assertion no-deprecated no-duplicate-enum-values no-duplicate-type-constituents
  no-dynamic-delete no-empty-object-type no-explicit-any no-extra-non-null-assertion no-extraneous-class
  no-floating-promises no-for-in-array no-generated-empty-object-type no-implied-eval no-inferrable-types
  no-invalid-void-type no-meaningless-void-operator no-misused-new no-misused-promises no-misused-spread
  no-mixed-enums no-namespace no-non-null-asserted-nullish-coalescing no-non-null-asserted-optional-chain
  no-redundant-type-constituents no-require-imports no-this-alias no-unnecessary-boolean-literal-compare
  no-unnecessary-condition no-unnecessary-template-expression no-unnecessary-type-arguments
  no-unnecessary-type-assertion no-unnecessary-type-constraint no-unnecessary-type-conversion
  no-unsafe-argument no-unsafe-assignment no-unsafe-call no-unsafe-declaration-merging
  no-unsafe-enum-comparison no-unsafe-function-type no-unsafe-member-access no-unsafe-return
  no-unsafe-unary-minus no-useless-default-assignment no-wrapper-object-types non-nullable-type-assertion-style
  only-throw-error prefer-as-const prefer-find prefer-for-of prefer-function-type prefer-includes
  prefer-literal-enum-member prefer-namespace-keyword prefer-nullish-coalescing prefer-optional-chain
  prefer-promise-reject-errors prefer-reduce-type-parameter prefer-regexp-exec prefer-return-this-type
  prefer-string-starts-ends-with related-getter-setter-pairs require-await switch-exhaustiveness-check
  triple-slash-reference unbound-method unified-signatures use-unknown-in-catch-callback-variable
`,
  'typescript/',
);

const REACT = errors(
  `
  error-boundaries exhaustive-deps globals immutability incompatible-library preserve-manual-memoization purity
  refs rules-of-hooks set-state-in-effect set-state-in-render static-components unsupported-syntax use-memo
  void-use-memo
`,
  'react/',
);

const STORES = 'packages/adapters/postgres/src/stores';

/** Accounts, keys, jobs, models, settings of the installation, the index, maintenance, and the outbox. */
const THROUGH_THE_PLATFORM_DOOR = [
  'accounts/accounts',
  'accounts/environments',
  'accounts/invitations',
  'accounts/logins',
  'accounts/members',
  'accounts/sessions',
  'accounts/sign-in-counters',
  'api-keys/keys',
  'audit/audit-log',
  'operations/operation-pruner',
  'feed/feed-heads',
  'jobs/job-queue',
  'models/models',
  'settings/settings',
  'groups/similarity-queue',
  'groups/open-face-source',
  'vectors/index-source',
  'vectors/change-log',
  'vectors/index-status',
  'installation/installation',
  'installation/system-state',
  'models/catalog',
  'models/activations',
  'leases/leases',
  'maintenance/environment-eraser',
  'maintenance/maintenance',
  'maintenance/stored-secrets',
  'maintenance/consistency-queries',
  'maintenance/consistency-of-means',
  'reembedding/reembed-jobs',
  'events/outbox-reader',
  'events/relay-positions',
  'database/consumers',
  'webhooks/delivery-queue',
].map((name) => `${STORES}/${name}.ts`);

const WITH_CONNECTIONS_OF_THEIR_OWN = [
  'packages/adapters/postgres/src/doors/**',
  'packages/adapters/postgres/src/explain-connection.ts',
  'packages/adapters/postgres/src/explain-migration.ts',
  'packages/adapters/postgres/src/role-passwords.ts',
  'packages/adapters/postgres/src/with-client.ts',
];

/** The loops behind the waits of tests, what ends at a time of the product's own, and measurements. */
const WITH_A_CLOCK = [
  'test/bench/**',
  'test/support/jest/*.ts',
  'test/support/waits/wait-until.ts',
  // A right ends within five seconds in every process.
  'test/acceptance/accounts.test.ts',
  'test/integration/accounts/accounts.test.ts',
  // They keep a thread or an event loop busy for some seconds.
  'packages/platform/src/resilience/dependency.process.test.ts',
  'packages/platform/src/lifecycle/fixtures/scripted-main.ts',
];

const SOURCES = ['packages/**/*.ts', 'apps/**/*.ts', 'operator/**/*.ts'];
const TESTS = ['**/*.test.{ts,tsx}', 'test/**/*.ts'];

/** oxlint reads the configuration from the default export. */
// oxlint-disable-next-line house/named-exports
export default defineConfig({
  plugins: ['typescript', 'react'],
  jsPlugins: ['./scripts/lint/house-rules.ts'],
  categories: { correctness: 'off' },
  options: { typeAware: true, denyWarnings: true, reportUnusedDisableDirectives: 'error' },
  env: { builtin: true },
  ignorePatterns: [
    'data/**',
    'backups/**',
    '.cache/**',
    'coverage/**',
    'reports/**',
    // AssemblyScript, which its own compiler checks.
    '**/kernels/assembly/**',
  ],
  rules: SCRIPTS,
  overrides: [
    {
      files: ['**/*.js', '**/*.cjs'],
      rules: WITHOUT_COMPILER,
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
      },
    },
    {
      files: ['**/*.{ts,tsx}'],
      rules: {
        ...TYPESCRIPT,
        complexity: ['error', 10],
        'max-depth': ['error', 3],
        'max-params': ['error', 3],
        'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
        ...errors('named-exports no-barrels no-spread-of-literal', 'house/'),
        'no-restricted-properties': [
          'error',
          {
            object: 'process',
            property: 'env',
            message: 'The environment is read in packages/platform/src/config.',
          },
        ],
        'typescript/ban-ts-comment': ['error', { minimumDescriptionLength: 10 }],
        'typescript/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
        'typescript/restrict-plus-operands': [
          'error',
          {
            allowAny: false,
            allowBoolean: false,
            allowNullish: false,
            allowNumberAndString: false,
            allowRegExp: false,
          },
        ],
        'typescript/restrict-template-expressions': ['error', { allowNumber: true }],
        'typescript/return-await': ['error', 'error-handling-correctness-only'],
      },
    },
    {
      files: ['apps/api/src/docs/start.js'],
      globals: { FormData: 'readonly', SwaggerUIBundle: 'readonly' },
    },
    { files: ['apps/console/src/**'], rules: REACT },
    {
      files: SOURCES,
      rules: {
        'house/platform-doors': 'error',
        'no-restricted-imports': [
          'error',
          {
            paths: [
              {
                name: 'pg',
                allowTypeImports: true,
                message: 'The database is reached through its doors.',
              },
            ],
            patterns: [
              {
                group: ['drizzle-orm', 'drizzle-orm/*'],
                allowTypeImports: true,
                message: 'Import from drizzle.ts: its CommonJS build loads in a fifth of the time.',
              },
            ],
          },
        ],
      },
    },
    { files: THROUGH_THE_PLATFORM_DOOR, rules: { 'house/platform-doors': 'off' } },
    { files: WITH_CONNECTIONS_OF_THEIR_OWN, rules: { 'no-restricted-imports': 'off' } },
    {
      files: TESTS,
      rules: {
        'max-lines': 'off',
        'no-restricted-properties': 'off',
        'no-restricted-imports': 'off',
        'house/platform-doors': 'off',
        'typescript/no-unsafe-assignment': 'off',
        'typescript/no-unsafe-member-access': 'off',
        ...errors('limits-by-name no-clock-limit', 'house/'),
      },
    },
    { files: WITH_A_CLOCK, rules: { 'house/no-clock-limit': 'off' } },
    {
      // A stop that waits for an idle connection takes longer than the limit of its tests.
      files: ['packages/platform/src/http/http-listener.test.ts'],
      rules: { 'house/limits-by-name': 'off' },
    },
    {
      // disable-telemetry.ts sets a variable that a native library reads.
      files: ['packages/platform/src/config/**', 'packages/engine/src/onnx/disable-telemetry.ts'],
      rules: { 'no-restricted-properties': 'off' },
    },
  ],
});
