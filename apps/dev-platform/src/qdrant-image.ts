/** The Qdrant image for the platform and for tests. The Helm chart's quickstart uses the same version. */
export const QDRANT_IMAGE = 'qdrant/qdrant:v1.19.0';
