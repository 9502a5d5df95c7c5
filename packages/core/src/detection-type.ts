/** The kinds of detections and identities. */
export type DetectionType = 'face' | 'object';

/** The detectors that a caller requests. */
export type DetectionTypes = 'faces' | 'objects' | 'all';
