import { runProcess } from '@sightline/platform/process/run-process';
import { ALL_GROUPS } from '@sightline/platform/config/variable-groups';
import { openStandalone } from '@sightline/standalone/open-standalone';
import { DyingDatabase, dyingIndex, dyingMedia, type DyingPoint } from './dying-stores.ts';

/**
 * The service, but for one thing: once it has got SIGUSR2 it kills itself, as `kill -9` does, at the
 * point that SIGHTLINE_TEST_DIE_AT names, or when it gets there for the time that SIGHTLINE_TEST_DIE_TIME
 * counts. The index is upserted in the background: for the point before that, something must have been
 * committed since the signal.
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
