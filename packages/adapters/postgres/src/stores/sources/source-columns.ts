import { sourceImages } from '../../schema/source-images.ts';
import { columnsWithout } from '../database/columns-without.ts';

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
  'hasRepeats',
);
