// Written by scripts/write-endpoints.ts from the files that it imports: run `make generate`.
import type { RouteContract } from './define-contract.ts';
import { createIdentityContract } from './identities/create-identity-contract.ts';
import { deleteDetectionContract } from './detections/delete-detection-contract.ts';
import { deleteIdentitiesContract } from './identities/delete-identities-contract.ts';
import { deleteIdentityContract } from './identities/delete-identity-contract.ts';
import { deleteImageContract } from './images/delete-image-contract.ts';
import { detectAllContract } from './recognition/detect-all-contract.ts';
import { detectFacesContract } from './recognition/detect-faces-contract.ts';
import { detectObjectsContract } from './recognition/detect-objects-contract.ts';
import { enrollFaceContract } from './references/enroll-face-contract.ts';
import { enrollIdentityContract } from './references/enroll-identity-contract.ts';
import { getCapabilitiesContract } from './discovery/get-capabilities-contract.ts';
import { getCropFileContract } from './media/get-crop-file-contract.ts';
import { getDetectionContract } from './detections/get-detection-contract.ts';
import { getDocsContract } from './discovery/get-docs-contract.ts';
import { getFaceEmbeddingContract } from './references/get-face-embedding-contract.ts';
import { getHealthContract } from './discovery/get-health-contract.ts';
import { getIdentityContract } from './identities/get-identity-contract.ts';
import { getImageFacesContract } from './images/get-image-faces-contract.ts';
import { getOpenapiContract } from './discovery/get-openapi-contract.ts';
import { getSettingContract } from './settings/get-setting-contract.ts';
import { getSourceFileContract } from './media/get-source-file-contract.ts';
import { getStatsContract } from './statistics/get-stats-contract.ts';
import { identifyFacesContract } from './recognition/identify-faces-contract.ts';
import { labelDetectionContract } from './detections/label-detection-contract.ts';
import { listFaceEmbeddingsContract } from './references/list-face-embeddings-contract.ts';
import { listIdentitiesContract } from './identities/list-identities-contract.ts';
import { listImageIdsContract } from './images/list-image-ids-contract.ts';
import { listSettingsContract } from './settings/list-settings-contract.ts';
import { putSettingContract } from './settings/put-setting-contract.ts';
import { searchIdentitiesContract } from './search/search-identities-contract.ts';
import { testBatchContract } from './recognition/test-batch-contract.ts';
import { testImageContract } from './recognition/test-image-contract.ts';
import { verifyFacesContract } from './recognition/verify-faces-contract.ts';

/** Every endpoint; the keys are the operation ids and the client's methods. */
export const API_CONTRACTS = {
  createIdentity: createIdentityContract,
  deleteDetection: deleteDetectionContract,
  deleteIdentities: deleteIdentitiesContract,
  deleteIdentity: deleteIdentityContract,
  deleteImage: deleteImageContract,
  detectAll: detectAllContract,
  detectFaces: detectFacesContract,
  detectObjects: detectObjectsContract,
  enrollFace: enrollFaceContract,
  enrollIdentity: enrollIdentityContract,
  getCapabilities: getCapabilitiesContract,
  getCropFile: getCropFileContract,
  getDetection: getDetectionContract,
  getDocs: getDocsContract,
  getFaceEmbedding: getFaceEmbeddingContract,
  getHealth: getHealthContract,
  getIdentity: getIdentityContract,
  getImageFaces: getImageFacesContract,
  getOpenapi: getOpenapiContract,
  getSetting: getSettingContract,
  getSourceFile: getSourceFileContract,
  getStats: getStatsContract,
  identifyFaces: identifyFacesContract,
  labelDetection: labelDetectionContract,
  listFaceEmbeddings: listFaceEmbeddingsContract,
  listIdentities: listIdentitiesContract,
  listImageIds: listImageIdsContract,
  listSettings: listSettingsContract,
  putSetting: putSettingContract,
  searchIdentities: searchIdentitiesContract,
  testBatch: testBatchContract,
  testImage: testImageContract,
  verifyFaces: verifyFacesContract,
} as const satisfies Record<string, RouteContract>;
