import type { Command } from './command.ts';
import { backup } from './commands/backup.ts';
import { check } from './commands/check.ts';
import { indexRebuild } from './commands/index-rebuild.ts';
import { indexStatus } from './commands/index-status.ts';
import { keyCreate } from './commands/key-create.ts';
import { keyList } from './commands/key-list.ts';
import { keyRevoke } from './commands/key-revoke.ts';
import { mediaRelease } from './commands/media-release.ts';
import { migrate } from './commands/migrate.ts';
import { restore } from './commands/restore.ts';

/** What `sightline` can do, in the order of its help. */
export const COMMANDS: readonly Command[] = [
  keyCreate,
  keyList,
  keyRevoke,
  migrate,
  mediaRelease,
  indexStatus,
  indexRebuild,
  check,
  backup,
  restore,
];
