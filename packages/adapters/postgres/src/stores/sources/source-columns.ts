import { sourceImages } from '../../schema/source-images.ts';
import { columnsWithout } from '../database/columns-without.ts';

/** The columns of a source image that the core reads. */
export const SOURCE_COLUMNS = columnsWithout(
  sourceImages,
  'environmentId',
  'mediaBytes',
  'faceCount',
  'objectCount',
  'taggedFaceCount',
  'manualCount',
  'detectionCount',
  'traits',
);
