import type { Route } from './http/define-route.ts';
import { deleteDetectionRoute } from './routes/detections/delete-detection.ts';
import { deleteIdentitiesRoute } from './routes/identities/delete-identities.ts';
import { deleteIdentityRoute } from './routes/identities/delete-identity.ts';
import { deleteImageRoute } from './routes/images/delete-image.ts';
import { getCapabilitiesRoute } from './routes/discovery/get-capabilities.ts';
import { getCropFileRoute } from './routes/media/get-crop-file.ts';
import { getDetectionRoute } from './routes/detections/get-detection.ts';
import { getDocsRoute } from './routes/discovery/get-docs.ts';
import { getFaceEmbeddingRoute } from './routes/references/get-face-embedding.ts';
import { listFaceEmbeddingsRoute } from './routes/references/list-face-embeddings.ts';
import { getHealthRoute } from './routes/discovery/get-health.ts';
import { listIdentitiesRoute } from './routes/identities/list-identities.ts';
import { getIdentityRoute } from './routes/identities/get-identity.ts';
import { getImageFacesRoute } from './routes/images/get-image-faces.ts';
import { listImageIdsRoute } from './routes/images/list-image-ids.ts';
import { getOpenapiRoute } from './routes/discovery/get-openapi.ts';
import { getSettingRoute } from './routes/settings/get-setting.ts';
import { listSettingsRoute } from './routes/settings/list-settings.ts';
import { getSourceFileRoute } from './routes/media/get-source-file.ts';
import { getStatsRoute } from './routes/statistics/get-stats.ts';
import { detectAllRoute } from './routes/recognition/detect-all.ts';
import { detectFacesRoute } from './routes/recognition/detect-faces.ts';
import { detectObjectsRoute } from './routes/recognition/detect-objects.ts';
import { enrollFaceRoute } from './routes/references/enroll-face.ts';
import { identifyFacesRoute } from './routes/recognition/identify-faces.ts';
import { createIdentityRoute } from './routes/identities/create-identity.ts';
import { enrollIdentityRoute } from './routes/references/enroll-identity.ts';
import { testImageRoute } from './routes/recognition/test-image.ts';
import { testBatchRoute } from './routes/recognition/test-batch.ts';
import { verifyFacesRoute } from './routes/recognition/verify-faces.ts';
import { labelDetectionRoute } from './routes/detections/label-detection.ts';
import { putSettingRoute } from './routes/settings/put-setting.ts';

/** Every endpoint of the API. A fixed path stands before one with a parameter in its place. */
export const ROUTES: readonly Route[] = [
  getHealthRoute,
  getCapabilitiesRoute,
  getStatsRoute,
  detectFacesRoute,
  detectObjectsRoute,
  detectAllRoute,
  enrollFaceRoute,
  enrollIdentityRoute,
  listFaceEmbeddingsRoute,
  getFaceEmbeddingRoute,
  identifyFacesRoute,
  testImageRoute,
  testBatchRoute,
  verifyFacesRoute,
  listIdentitiesRoute,
  createIdentityRoute,
  deleteIdentitiesRoute,
  getIdentityRoute,
  deleteIdentityRoute,
  getDetectionRoute,
  labelDetectionRoute,
  deleteDetectionRoute,
  listImageIdsRoute,
  getImageFacesRoute,
  deleteImageRoute,
  listSettingsRoute,
  getSettingRoute,
  putSettingRoute,
  getSourceFileRoute,
  getCropFileRoute,
  getOpenapiRoute,
  getDocsRoute,
];
