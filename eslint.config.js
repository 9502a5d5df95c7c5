import js from '@eslint/js';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

const budgets = {
  complexity: ['error', 10],
  'max-depth': ['error', 3],
  'max-params': ['error', 3],
  'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
};

const restrictedSyntax = [
  {
    selector: 'ExportDefaultDeclaration',
    message: 'Named exports only: a name can be searched for.',
  },
  {
    selector: 'ExportAllDeclaration',
    message: 'No barrels: import from the file that defines the name.',
  },
  {
    selector: 'ObjectExpression > SpreadElement > ObjectExpression.argument',
    message: 'Write the members themselves: a spread of a literal only hides them.',
  },
  {
    selector: 'ArrayExpression > SpreadElement > ArrayExpression.argument',
    message: 'Write the elements themselves: a spread of a literal only hides them.',
  },
];

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

export default tseslint.config(
  {
    ignores: [
      '**/node_modules/**',
      'data/**',
      'backups/**',
      '.cache/**',
      'coverage/**',
      'reports/**',
      // AssemblyScript, which its own compiler checks.
      '**/kernels/assembly/**',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked, tseslint.configs.stylisticTypeChecked],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      ...budgets,
      'no-restricted-syntax': ['error', ...restrictedSyntax],
      'no-restricted-properties': [
        'error',
        {
          object: 'process',
          property: 'env',
          message: 'The environment is read in packages/platform/src/config.',
        },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      // Typed arrays are indexed everywhere in numeric code; `!` marks an index that is in range.
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  { files: ['apps/console/src/**'], ...reactHooks.configs.flat['recommended-latest'] },
  {
    files: ['**/*.test.{ts,tsx}', 'test/**/*.ts'],
    rules: {
      'max-lines': 'off',
      'no-restricted-properties': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    // disable-telemetry.ts sets a variable that a native library reads.
    files: ['packages/platform/src/config/**', 'packages/engine/src/onnx/disable-telemetry.ts'],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    files: ['packages/**/*.ts', 'apps/**/*.ts', 'operator/**/*.ts'],
    ignores: ['**/*.test.ts', ...THROUGH_THE_PLATFORM_DOOR],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...restrictedSyntax,
        {
          selector: 'CallExpression[callee.property.name=/^(with|on|survey)Platform$/]',
          message: 'The platform doors see all environments; eslint.config.js lists who may.',
        },
      ],
    },
  },
  {
    files: ['packages/**/*.ts', 'apps/**/*.ts', 'operator/**/*.ts'],
    ignores: ['**/*.test.ts', ...WITH_CONNECTIONS_OF_THEIR_OWN],
    rules: {
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
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        module: 'writable',
        require: 'readonly',
      },
    },
  },
);
