/** What detections and identities are of. */
export type DetectionType = 'face' | 'object';

/** Which detectors a caller wants. */
export type DetectionTypes = 'faces' | 'objects' | 'all';
