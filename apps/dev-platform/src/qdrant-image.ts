/** The image for tests and for the platform of this machine; the recordings for tests were made with it. */
export const QDRANT_IMAGE = 'qdrant/qdrant:v1.18.3';
