export type DetectionType = 'face' | 'object';

export type DetectionTypes = 'faces' | 'objects' | 'all';
