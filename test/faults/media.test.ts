import { describeWithShared } from '../support/describe-with-shared.ts';
import { describeWithMinio } from '../support/minio.ts';
import { openBreakableMinio } from './breakable-minio.ts';
import { describeFaults } from './describe-faults.ts';
import { routes } from './routes.ts';

const { detect, enroll, openFile, openRange, ...others } = routes;
const refused = { refuses: [detect, enroll, openFile, openRange], answers: Object.values(others) };

describeWithMinio('with the images in an S3', () => {
  describeWithShared('the service', () => {
    describeFaults({
      dependency: 'S3',
      open: openBreakableMinio,
      faults: {
        killed: refused,
        hung: refused,
        slow: refused,
        full: {
          refuses: [detect, enroll],
          answers: [openFile, openRange, ...Object.values(others)],
        },
      },
    });
  });
});
