/** The image for tests and for the platform of this machine; the chart's quickstart has the same version. */
export const QDRANT_IMAGE = 'qdrant/qdrant:v1.19.0';
