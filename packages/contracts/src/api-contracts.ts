import type { RouteContract } from './define-contract.ts';
import { deleteDetectionContract } from './detections/delete-detection-contract.ts';
import { detectAllContract } from './recognition/detect-all-contract.ts';
import { detectFacesContract } from './recognition/detect-faces-contract.ts';
import { detectObjectsContract } from './recognition/detect-objects-contract.ts';
import { getDetectionContract } from './detections/get-detection-contract.ts';
import { labelDetectionContract } from './detections/label-detection-contract.ts';
import { testBatchContract } from './recognition/test-batch-contract.ts';
import { testImageContract } from './recognition/test-image-contract.ts';
import { getCapabilitiesContract } from './discovery/get-capabilities-contract.ts';
import { getDocsContract } from './discovery/get-docs-contract.ts';
import { getHealthContract } from './discovery/get-health-contract.ts';
import { getOpenapiContract } from './discovery/get-openapi-contract.ts';
import { createIdentityContract } from './identities/create-identity-contract.ts';
import { deleteIdentitiesContract } from './identities/delete-identities-contract.ts';
import { deleteIdentityContract } from './identities/delete-identity-contract.ts';
import { getIdentityContract } from './identities/get-identity-contract.ts';
import { listIdentitiesContract } from './identities/list-identities-contract.ts';
import { identifyFacesContract } from './recognition/identify-faces-contract.ts';
import { verifyFacesContract } from './recognition/verify-faces-contract.ts';
import { getCropFileContract } from './media/get-crop-file-contract.ts';
import { getSourceFileContract } from './media/get-source-file-contract.ts';
import { enrollFaceContract } from './references/enroll-face-contract.ts';
import { enrollIdentityContract } from './references/enroll-identity-contract.ts';
import { getFaceEmbeddingContract } from './references/get-face-embedding-contract.ts';
import { listFaceEmbeddingsContract } from './references/list-face-embeddings-contract.ts';
import { getSettingContract } from './settings/get-setting-contract.ts';
import { listSettingsContract } from './settings/list-settings-contract.ts';
import { putSettingContract } from './settings/put-setting-contract.ts';
import { deleteImageContract } from './images/delete-image-contract.ts';
import { getImageFacesContract } from './images/get-image-faces-contract.ts';
import { listImageIdsContract } from './images/list-image-ids-contract.ts';
import { getStatsContract } from './statistics/get-stats-contract.ts';

/** Every endpoint; the keys are the operation ids and the client's methods. */
export const API_CONTRACTS = {
  getHealth: getHealthContract,
  getCapabilities: getCapabilitiesContract,
  getStats: getStatsContract,
  detectFaces: detectFacesContract,
  detectObjects: detectObjectsContract,
  detectAll: detectAllContract,
  enrollFace: enrollFaceContract,
  enrollIdentity: enrollIdentityContract,
  listFaceEmbeddings: listFaceEmbeddingsContract,
  getFaceEmbedding: getFaceEmbeddingContract,
  identifyFaces: identifyFacesContract,
  testImage: testImageContract,
  testBatch: testBatchContract,
  verifyFaces: verifyFacesContract,
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
  getOpenapi: getOpenapiContract,
  getDocs: getDocsContract,
} as const satisfies Record<string, RouteContract>;
