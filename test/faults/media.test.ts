import { describeWithShared } from '../support/gates/describe-with-shared.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { openBreakableMinio } from './breakable-minio.ts';
import { describeFaults, type FaultEffect } from './describe-faults.ts';
import { cannotFillDisk } from './full-disk.ts';
import { routes } from './routes.ts';

const { detect, enroll, openFile, openRange, ...others } = routes;
const effect: FaultEffect = {
  refuses: [detect, enroll, openFile, openRange],
  answers: Object.values(others),
  health: 'degraded',
};

describeWithMinio('with the images in an S3', () => {
  describeWithShared('the service', () => {
    describeFaults({
      dependency: 'S3',
      open: openBreakableMinio,
      code: 'store_unavailable',
      faults: {
        killed: effect,
        hung: effect,
        slow: effect,
        full: {
          refuses: [detect, enroll],
          answers: [openFile, openRange, ...Object.values(others)],
          health: 'degraded',
          impossible: cannotFillDisk(),
        },
      },
    });
  });
});
