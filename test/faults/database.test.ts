import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { openBreakablePostgres } from './breakable-postgres.ts';
import { describeFaults, type FaultEffect } from './describe-faults.ts';
import { cannotFillDisk } from './full-disk.ts';
import { detectUntilFull, routes } from './routes.ts';

const { capabilities, docs, openapi, livez, readyz, test, verify, ...needRows } = routes;
const { openFile, openRange, identities, imageIds, readImage, identify } = routes;
const effect: FaultEffect = {
  refuses: Object.values(needRows),
  answers: [capabilities, docs, openapi, livez],
  health: 'unavailable',
};

describeWithShared('with the rows in a Postgres elsewhere, the service', () => {
  describeFaults({
    dependency: 'Postgres',
    open: openBreakablePostgres,
    code: 'store_unavailable',
    faults: {
      killed: effect,
      hung: effect,
      slow: effect,
      full: {
        refuses: [detectUntilFull],
        answers: [
          ...[openFile, openRange, identities, imageIds, readImage, identify],
          ...[capabilities, docs, openapi, livez, readyz, test, verify],
        ],
        impossible: cannotFillDisk(),
      },
    },
  });
});
