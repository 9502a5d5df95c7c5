import { runProcess } from '@sightline/platform/process/run-process';
import { ALL_GROUPS } from '@sightline/platform/config/variable-groups';
import { openStandalone } from '@sightline/standalone/open-standalone';
import { DyingDatabase, dyingIndex, dyingMedia, type DyingPoint } from './dying-stores.ts';

/**
 * The service with one addition: after SIGUSR2 it kills itself, as `kill -9` does, at the point that
 * SIGHTLINE_TEST_DIE_AT names, as soon as it has reached that point SIGHTLINE_TEST_DIE_TIME times. The point
 * before an upsert of the index counts only after a commit since the signal, because the index is filled in
 * the background.
 */
const dieAt = process.env.SIGHTLINE_TEST_DIE_AT as DyingPoint | undefined;
let timesLeft = Number(process.env.SIGHTLINE_TEST_DIE_TIME ?? 1);
let armed = false;
let committed = false;
process.on('SIGUSR2', () => (armed = true));

function pass(point: DyingPoint): void {
  if (!armed) return;
  if (point === dieAt && (committed || point !== 'before-index-upsert')) {
    if (--timesLeft === 0) process.kill(process.pid, 'SIGKILL');
  }
  if (point === 'after-commit') committed = true;
}

await runProcess({
  about: 'a service that dies',
  version: '0.0.0-test',
  variables: ALL_GROUPS,
  readiness: 'api',
  open: (context) =>
    openStandalone({
      ...context,
      decorate: ({ database, media, vectors }) => ({
        database: new DyingDatabase(database, pass),
        media: dyingMedia(media, pass),
        vectors: dyingIndex(vectors, pass),
      }),
    }),
});
