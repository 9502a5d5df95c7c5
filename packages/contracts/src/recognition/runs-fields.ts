import { DetectionTypes } from '../detections/detection-types.ts';
import { flag } from '../flag.ts';

/** The members of every request that runs the active models on several images or on stored images. */
export const runsFields = {
  type: DetectionTypes.optional().describe('Default: all.'),
  replace: flag
    .optional()
    .describe(
      'Whether to remove earlier detections of the requested type from the images, including boxes that a person drew. Default: false. The removal of those about which people decided is an operation, which can be undone.',
    ),
};
