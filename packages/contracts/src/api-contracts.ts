import type { RouteContract } from './define-contract.ts';
import { deleteDetectionContract } from './detections/delete-detection-contract.ts';
import { detectAllContract } from './detections/detect-all-contract.ts';
import { detectFacesContract } from './detections/detect-faces-contract.ts';
import { detectObjectsContract } from './detections/detect-objects-contract.ts';
import { getDetectionContract } from './detections/get-detection-contract.ts';
import { labelDetectionContract } from './detections/label-detection-contract.ts';
import { testBatchContract } from './detections/test-batch-contract.ts';
import { testImageContract } from './detections/test-image-contract.ts';
import { capabilitiesContract } from './discovery/capabilities-contract.ts';
import { docsContract } from './discovery/docs-contract.ts';
import { healthContract } from './discovery/health-contract.ts';
import { openapiContract } from './discovery/openapi-contract.ts';
import { createIdentityContract } from './identities/create-identity-contract.ts';
import { deleteIdentitiesContract } from './identities/delete-identities-contract.ts';
import { deleteIdentityContract } from './identities/delete-identity-contract.ts';
import { getIdentityContract } from './identities/get-identity-contract.ts';
import { listIdentitiesContract } from './identities/list-identities-contract.ts';
import { identifyContract } from './matching/identify-contract.ts';
import { verifyContract } from './matching/verify-contract.ts';
import { getCropFileContract } from './media/get-crop-file-contract.ts';
import { getSourceFileContract } from './media/get-source-file-contract.ts';
import { enrollFaceContract } from './references/enroll-face-contract.ts';
import { enrollIdentityContract } from './references/enroll-identity-contract.ts';
import { getFaceEmbeddingContract } from './references/get-face-embedding-contract.ts';
import { listFaceEmbeddingsContract } from './references/list-face-embeddings-contract.ts';
import { getSettingContract } from './settings/get-setting-contract.ts';
import { listSettingsContract } from './settings/list-settings-contract.ts';
import { putSettingContract } from './settings/put-setting-contract.ts';
import { deleteImageContract } from './sources/delete-image-contract.ts';
import { getImageFacesContract } from './sources/get-image-faces-contract.ts';
import { listImageIdsContract } from './sources/list-image-ids-contract.ts';
import { getStatsContract } from './statistics/get-stats-contract.ts';

/** Every endpoint; the keys are the operation ids and the client's methods. */
export const API_CONTRACTS = {
  getHealth: healthContract,
  getCapabilities: capabilitiesContract,
  getStats: getStatsContract,
  detectFaces: detectFacesContract,
  detectObjects: detectObjectsContract,
  detectAll: detectAllContract,
  enrollFace: enrollFaceContract,
  enrollIdentity: enrollIdentityContract,
  listFaceEmbeddings: listFaceEmbeddingsContract,
  getFaceEmbedding: getFaceEmbeddingContract,
  identifyFaces: identifyContract,
  testImage: testImageContract,
  testBatch: testBatchContract,
  verifyFaces: verifyContract,
  listIdentities: listIdentitiesContract,
  createIdentity: createIdentityContract,
  deleteIdentities: deleteIdentitiesContract,
  getIdentity: getIdentityContract,
  deleteIdentity: deleteIdentityContract,
  getDetection: getDetectionContract,
  labelDetection: labelDetectionContract,
  deleteDetection: deleteDetectionContract,
  listImageIds: listImageIdsContract,
  getImageFaces: getImageFacesContract,
  deleteImage: deleteImageContract,
  listSettings: listSettingsContract,
  getSetting: getSettingContract,
  putSetting: putSettingContract,
  getSourceFile: getSourceFileContract,
  getCropFile: getCropFileContract,
  getOpenapi: openapiContract,
  getDocs: docsContract,
} as const satisfies Record<string, RouteContract>;
