import { DetectionTypes } from '../detections/detection-types.ts';
import { flag } from '../flag.ts';

/** Members of every request that runs the active models on several images, or on stored ones. */
export const runsFields = {
  type: DetectionTypes.optional().describe('Default: all.'),
  replace: flag
    .optional()
    .describe(
      'Whether to remove earlier detections of the type from the images, including those that a person drew. Default: false.',
    ),
};
