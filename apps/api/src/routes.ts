// Written by scripts/write-endpoints.ts from the files that it imports: run `make generate`.
import type { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { RoutesOf } from './http/define-route.ts';
import { createIdentityRoute } from './routes/identities/create-identity.ts';
import { deleteDetectionRoute } from './routes/detections/delete-detection.ts';
import { deleteIdentitiesRoute } from './routes/identities/delete-identities.ts';
import { deleteIdentityRoute } from './routes/identities/delete-identity.ts';
import { deleteImageRoute } from './routes/images/delete-image.ts';
import { detectAllRoute } from './routes/recognition/detect-all.ts';
import { detectFacesRoute } from './routes/recognition/detect-faces.ts';
import { detectObjectsRoute } from './routes/recognition/detect-objects.ts';
import { enrollFaceRoute } from './routes/references/enroll-face.ts';
import { enrollIdentityRoute } from './routes/references/enroll-identity.ts';
import { getCapabilitiesRoute } from './routes/discovery/get-capabilities.ts';
import { getCropFileRoute } from './routes/media/get-crop-file.ts';
import { getDetectionRoute } from './routes/detections/get-detection.ts';
import { getDocsRoute } from './routes/discovery/get-docs.ts';
import { getFaceEmbeddingRoute } from './routes/references/get-face-embedding.ts';
import { getHealthRoute } from './routes/discovery/get-health.ts';
import { getIdentityRoute } from './routes/identities/get-identity.ts';
import { getImageFacesRoute } from './routes/images/get-image-faces.ts';
import { getOpenapiRoute } from './routes/discovery/get-openapi.ts';
import { getSettingRoute } from './routes/settings/get-setting.ts';
import { getSourceFileRoute } from './routes/media/get-source-file.ts';
import { getStatsRoute } from './routes/statistics/get-stats.ts';
import { identifyFacesRoute } from './routes/recognition/identify-faces.ts';
import { labelDetectionRoute } from './routes/detections/label-detection.ts';
import { listFaceEmbeddingsRoute } from './routes/references/list-face-embeddings.ts';
import { listIdentitiesRoute } from './routes/identities/list-identities.ts';
import { listImageIdsRoute } from './routes/images/list-image-ids.ts';
import { listSettingsRoute } from './routes/settings/list-settings.ts';
import { putSettingRoute } from './routes/settings/put-setting.ts';
import { searchIdentitiesRoute } from './routes/search/search-identities.ts';
import { testBatchRoute } from './routes/recognition/test-batch.ts';
import { testImageRoute } from './routes/recognition/test-image.ts';
import { verifyFacesRoute } from './routes/recognition/verify-faces.ts';

/** Every endpoint of the API: each contract with its handler. */
export const ROUTES = {
  createIdentity: createIdentityRoute,
  deleteDetection: deleteDetectionRoute,
  deleteIdentities: deleteIdentitiesRoute,
  deleteIdentity: deleteIdentityRoute,
  deleteImage: deleteImageRoute,
  detectAll: detectAllRoute,
  detectFaces: detectFacesRoute,
  detectObjects: detectObjectsRoute,
  enrollFace: enrollFaceRoute,
  enrollIdentity: enrollIdentityRoute,
  getCapabilities: getCapabilitiesRoute,
  getCropFile: getCropFileRoute,
  getDetection: getDetectionRoute,
  getDocs: getDocsRoute,
  getFaceEmbedding: getFaceEmbeddingRoute,
  getHealth: getHealthRoute,
  getIdentity: getIdentityRoute,
  getImageFaces: getImageFacesRoute,
  getOpenapi: getOpenapiRoute,
  getSetting: getSettingRoute,
  getSourceFile: getSourceFileRoute,
  getStats: getStatsRoute,
  identifyFaces: identifyFacesRoute,
  labelDetection: labelDetectionRoute,
  listFaceEmbeddings: listFaceEmbeddingsRoute,
  listIdentities: listIdentitiesRoute,
  listImageIds: listImageIdsRoute,
  listSettings: listSettingsRoute,
  putSetting: putSettingRoute,
  searchIdentities: searchIdentitiesRoute,
  testBatch: testBatchRoute,
  testImage: testImageRoute,
  verifyFaces: verifyFacesRoute,
} satisfies RoutesOf<typeof API_CONTRACTS>;
