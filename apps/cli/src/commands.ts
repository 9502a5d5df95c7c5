import type { CommandEntry } from './command.ts';

/**
 * The commands of `sightline`, in the order of its help. The code of a command is loaded when the command is called.
 */
export const COMMANDS: readonly CommandEntry[] = [
  {
    name: 'key create',
    usage:
      '[--environment NAME] [--right full|review|read] [--label TEXT] [--expires DATE] [--admin] [--json]',
    summary: 'Creates a key, and its environment if it does not exist; prints the key once.',
    load: async () => (await import('./commands/key-create.ts')).keyCreate,
  },
  {
    name: 'key list',
    usage: '[--json]',
    summary: 'Lists all keys, newest first, with their first characters.',
    load: async () => (await import('./commands/key-list.ts')).keyList,
  },
  {
    name: 'key revoke',
    usage: 'ID',
    summary: 'Revokes a key; running services refuse it within five seconds.',
    load: async () => (await import('./commands/key-revoke.ts')).keyRevoke,
  },
  {
    name: 'user create',
    usage: 'EMAIL [--name TEXT] [--admin]',
    summary: 'Creates an account; prints its password once.',
    load: async () => (await import('./commands/user-create.ts')).userCreate,
  },
  {
    name: 'user list',
    usage: '[--json]',
    summary: 'Lists all accounts, oldest first.',
    load: async () => (await import('./commands/user-list.ts')).userList,
  },
  {
    name: 'user disable',
    usage: 'EMAIL',
    summary: 'Disables an account; its sessions and keys are refused within five seconds.',
    load: async () => (await import('./commands/user-disable.ts')).userDisable,
  },
  {
    name: 'user unlock',
    usage: 'EMAIL',
    summary: 'Forgets the failed sign-ins of an account, so that its person may try again at once.',
    load: async () => (await import('./commands/user-unlock.ts')).userUnlock,
  },
  {
    name: 'user reset-password',
    usage: 'EMAIL',
    summary: 'Enables an account with a new password, which is printed once; ends its sessions.',
    load: async () => (await import('./commands/user-reset-password.ts')).userResetPassword,
  },
  {
    name: 'secrets rotate',
    usage: '',
    summary:
      'Encrypts stored secrets again with the first key of SIGHTLINE_SECRET_KEY, while services run.',
    load: async () => (await import('./commands/secrets-rotate.ts')).secretsRotate,
  },
  {
    name: 'migrate',
    usage: '',
    summary:
      'Migrates the schema of the database (SIGHTLINE_DATABASE_URL) as its owner (SIGHTLINE_DATABASE_OWNER_URL).',
    load: async () => (await import('./commands/migrate.ts')).migrate,
  },
  {
    name: 'await-schema',
    usage: '',
    summary:
      'Waits until the database (SIGHTLINE_DATABASE_URL) has the schema of this version, as starting processes need it.',
    load: async () => (await import('./commands/await-schema.ts')).awaitSchemaCommand,
  },
  {
    name: 'try',
    usage: 'URL PHOTO',
    summary:
      'Posts a photo to the API at URL with a temporary key, and prints the number of faces found; stores nothing.',
    load: async () => (await import('./commands/try.ts')).tryService,
  },
  {
    name: 'quickstart secrets',
    usage: 'NAME [--database HOST:PORT]',
    summary:
      "In Kubernetes: creates the Secrets of the quickstart's stores; existing ones stay unchanged.",
    load: async () => (await import('./commands/quickstart-secrets.ts')).quickstartSecretsCommand,
  },
  {
    name: 'routes delete',
    usage: 'RELEASE',
    summary:
      'In Kubernetes: deletes the InferenceRoutes of a release, before Helm deletes its models.',
    load: async () => (await import('./commands/routes-delete.ts')).routesDelete,
  },
  {
    name: 'media release',
    usage: '',
    summary:
      'Clears the recorded location of the images after you have copied them; the next start records the new one.',
    load: async () => (await import('./commands/media-release.ts')).mediaRelease,
  },
  {
    name: 'index status',
    usage: '[--json]',
    summary: 'Shows the state of the indexes of faces, and their last differences from the rows.',
    load: async () => (await import('./commands/index-status.ts')).indexStatus,
  },
  {
    name: 'index rebuild',
    usage: '[--wait]',
    summary:
      'Rebuilds the indexes of faces from the rows while they serve; with --wait it returns at the end.',
    load: async () => (await import('./commands/index-rebuild.ts')).indexRebuild,
  },
  {
    name: 'similarity rebuild',
    usage: '',
    summary: 'Computes suggestions, groups of strangers and mismatches again, while they serve.',
    load: async () => (await import('./commands/similarity-rebuild.ts')).similarityRebuild,
  },
  {
    name: 'check',
    usage: '[--deep] [--json]',
    summary:
      'Compares rows with each other and with the files; with --deep it reads every file, and computes similarity.',
    load: async () => (await import('./commands/check.ts')).check,
  },
  {
    name: 'backup',
    usage: '[--to FOLDER] [--without-images]',
    summary: 'Stops the service and copies its data into a new folder in FOLDER (./backups).',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  {
    name: 'restore',
    usage: 'BACKUP',
    summary: 'Copies a backup into the data folder, which must be empty or absent.',
    load: async () => (await import('./commands/restore.ts')).restore,
  },
];
