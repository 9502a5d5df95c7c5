/** The type of a detection or an identity. */
export type DetectionType = 'face' | 'object';

/** The types of detections that a client requests. */
export type DetectionTypes = 'faces' | 'objects' | 'all';
