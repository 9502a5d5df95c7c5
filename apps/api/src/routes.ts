import type { Route } from './http/define-route.ts';
import { deleteDetection } from './routes/delete-detection.ts';
import { deleteIdentities } from './routes/delete-identities.ts';
import { deleteIdentity } from './routes/delete-identity.ts';
import { deleteImage } from './routes/delete-image.ts';
import { getCapabilities } from './routes/get-capabilities.ts';
import { getCropFile } from './routes/get-crop-file.ts';
import { getDetection } from './routes/get-detection.ts';
import { getDocs } from './routes/get-docs.ts';
import { getFaceEmbedding } from './routes/get-face-embedding.ts';
import { getFaceEmbeddings } from './routes/get-face-embeddings.ts';
import { getHealth } from './routes/get-health.ts';
import { getIdentities } from './routes/get-identities.ts';
import { getIdentity } from './routes/get-identity.ts';
import { getImageFaces } from './routes/get-image-faces.ts';
import { getImageIds } from './routes/get-image-ids.ts';
import { getOpenapi } from './routes/get-openapi.ts';
import { getSetting } from './routes/get-setting.ts';
import { getSettings } from './routes/get-settings.ts';
import { getSourceFile } from './routes/get-source-file.ts';
import { getStats } from './routes/get-stats.ts';
import { postDetectAll } from './routes/post-detect-all.ts';
import { postDetectFaces } from './routes/post-detect-faces.ts';
import { postDetectObjects } from './routes/post-detect-objects.ts';
import { postFacesEnroll } from './routes/post-faces-enroll.ts';
import { postIdentify } from './routes/post-identify.ts';
import { postIdentities } from './routes/post-identities.ts';
import { postIdentityEnroll } from './routes/post-identity-enroll.ts';
import { postTest } from './routes/post-test.ts';
import { postTestBatch } from './routes/post-test-batch.ts';
import { postVerify } from './routes/post-verify.ts';
import { putDetectionLabel } from './routes/put-detection-label.ts';
import { putSetting } from './routes/put-setting.ts';

/** Every endpoint of the API. A fixed path stands before one with a parameter in its place. */
export const ROUTES: readonly Route[] = [
  getHealth,
  getCapabilities,
  getStats,
  postDetectFaces,
  postDetectObjects,
  postDetectAll,
  postFacesEnroll,
  postIdentityEnroll,
  getFaceEmbeddings,
  getFaceEmbedding,
  postIdentify,
  postTest,
  postTestBatch,
  postVerify,
  getIdentities,
  postIdentities,
  deleteIdentities,
  getIdentity,
  deleteIdentity,
  getDetection,
  putDetectionLabel,
  deleteDetection,
  getImageIds,
  getImageFaces,
  deleteImage,
  getSettings,
  getSetting,
  putSetting,
  getSourceFile,
  getCropFile,
  getOpenapi,
  getDocs,
];
