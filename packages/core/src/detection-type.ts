/** The kinds of detections and identities. */
export type DetectionType = 'face' | 'object';

/** Which detectors a caller wants. */
export type DetectionTypes = 'faces' | 'objects' | 'all';
