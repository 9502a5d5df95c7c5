/** What tests and the platform of this machine run; the recordings for tests were made with it. */
export const QDRANT_IMAGE = 'qdrant/qdrant:v1.18.3';
