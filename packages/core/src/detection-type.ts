/** What detections and identities are of. */
export type DetectionType = 'face' | 'object';
