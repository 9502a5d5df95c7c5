/** The reading operations whose answers change with people and their faces. */
export const PEOPLE_READS = [
  'listIdentitySummaries',
  'listIdentityBuckets',
  'searchIdentities',
  'getIdentity',
  'listGallery',
  'listReviewQueue',
  'countReviewQueue',
  'listFaceEmbeddings',
  'listMismatches',
  'listRejectedFaces',
  'listOperations',
] as const;
