import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { describeWithQdrantProcess } from '../support/servers/qdrant.ts';
import { openBreakableQdrant } from './breakable-qdrant.ts';
import { describeFaults, type FaultEffect } from './describe-faults.ts';
import { cannotFillDisk } from './full-disk.ts';
import { routes } from './routes.ts';

const { detect, identify, test, ...others } = routes;
/** A reference needs no match: it is stored, and comes to the index when that is back. */
const effect: FaultEffect = {
  refuses: [detect, identify, test],
  answers: Object.values(others),
  health: 'degraded',
};

/** What the index cannot take waits with the rows, where matching reads it. */
const full: FaultEffect = {
  refuses: [],
  answers: Object.values(routes),
  impossible: cannotFillDisk(),
};

describeWithQdrantProcess('with the index in a Qdrant', () => {
  describeWithShared('the service', () => {
    describeFaults({
      dependency: 'Qdrant',
      open: openBreakableQdrant,
      code: 'vectors_unavailable',
      faults: { killed: effect, hung: effect, slow: effect, full, emptied: effect },
    });
  });
});
