// Written by scripts/write-endpoints.ts from the files that it imports: run `make generate`.
import type { RouteContract } from './define-contract.ts';
import { acceptInvitationContract } from './members/accept-invitation-contract.ts';
import { activateModelContract } from './models/activate-model-contract.ts';
import { appointOwnerContract } from './members/appoint-owner-contract.ts';
import { bulkDetectionsContract } from './detections/bulk-detections-contract.ts';
import { bulkImagesContract } from './images/bulk-images-contract.ts';
import { cancelJobContract } from './jobs/cancel-job-contract.ts';
import { changeMemberContract } from './members/change-member-contract.ts';
import { changePasswordContract } from './accounts/change-password-contract.ts';
import { changeProfileContract } from './accounts/change-profile-contract.ts';
import { changeUserContract } from './accounts/change-user-contract.ts';
import { changeWebhookContract } from './webhooks/change-webhook-contract.ts';
import { confirmFaceContract } from './review/confirm-face-contract.ts';
import { countClustersContract } from './clusters/count-clusters-contract.ts';
import { countImagesContract } from './images/count-images-contract.ts';
import { countReviewQueueContract } from './review/count-review-queue-contract.ts';
import { createDetectionContract } from './recognition/create-detection-contract.ts';
import { createEnvironmentContract } from './accounts/create-environment-contract.ts';
import { createIdentityContract } from './identities/create-identity-contract.ts';
import { createInvitationContract } from './members/create-invitation-contract.ts';
import { createKeyContract } from './accounts/create-key-contract.ts';
import { createUserContract } from './accounts/create-user-contract.ts';
import { deleteDetectionContract } from './detections/delete-detection-contract.ts';
import { deleteDetectionsContract } from './detections/delete-detections-contract.ts';
import { deleteEnvironmentContract } from './accounts/delete-environment-contract.ts';
import { deleteFaceEmbeddingContract } from './references/delete-face-embedding-contract.ts';
import { deleteIdentitiesContract } from './identities/delete-identities-contract.ts';
import { deleteIdentityContract } from './identities/delete-identity-contract.ts';
import { deleteImageContract } from './images/delete-image-contract.ts';
import { deleteJobContract } from './jobs/delete-job-contract.ts';
import { deleteKeyContract } from './accounts/delete-key-contract.ts';
import { deleteWebhookContract } from './webhooks/delete-webhook-contract.ts';
import { detectAllContract } from './recognition/detect-all-contract.ts';
import { detectBulkContract } from './recognition/detect-bulk-contract.ts';
import { detectFacesContract } from './recognition/detect-faces-contract.ts';
import { detectObjectsContract } from './recognition/detect-objects-contract.ts';
import { dismissClusterContract } from './clusters/dismiss-cluster-contract.ts';
import { dismissDetectionsContract } from './detections/dismiss-detections-contract.ts';
import { dismissMismatchContract } from './review/dismiss-mismatch-contract.ts';
import { dismissMismatchesContract } from './review/dismiss-mismatches-contract.ts';
import { downloadModelContract } from './models/download-model-contract.ts';
import { endSessionContract } from './accounts/end-session-contract.ts';
import { enrollDetectionContract } from './references/enroll-detection-contract.ts';
import { enrollFaceContract } from './references/enroll-face-contract.ts';
import { enrollIdentityContract } from './references/enroll-identity-contract.ts';
import { exportLibraryContract } from './transfer/export-library-contract.ts';
import { finishSignOnContract } from './sign-on/finish-sign-on-contract.ts';
import { getCapabilitiesContract } from './discovery/get-capabilities-contract.ts';
import { getClusterContract } from './clusters/get-cluster-contract.ts';
import { getCropFileContract } from './media/get-crop-file-contract.ts';
import { getDailyStatsContract } from './statistics/get-daily-stats-contract.ts';
import { getDeliveryContract } from './webhooks/get-delivery-contract.ts';
import { getDetectionContract } from './detections/get-detection-contract.ts';
import { getDocsContract } from './discovery/get-docs-contract.ts';
import { getEnvironmentContract } from './accounts/get-environment-contract.ts';
import { getFaceEmbeddingContract } from './references/get-face-embedding-contract.ts';
import { getHealthContract } from './discovery/get-health-contract.ts';
import { getIdentityContract } from './identities/get-identity-contract.ts';
import { getImageContract } from './images/get-image-contract.ts';
import { getImageFacesContract } from './images/get-image-faces-contract.ts';
import { getJobContract } from './jobs/get-job-contract.ts';
import { getJobResultsContract } from './jobs/get-job-results-contract.ts';
import { getModelContract } from './models/get-model-contract.ts';
import { getOpenapiContract } from './discovery/get-openapi-contract.ts';
import { getProfileContract } from './accounts/get-profile-contract.ts';
import { getSessionContract } from './accounts/get-session-contract.ts';
import { getSettingContract } from './settings/get-setting-contract.ts';
import { getSourceFileContract } from './media/get-source-file-contract.ts';
import { getStatsContract } from './statistics/get-stats-contract.ts';
import { getSystemStatusContract } from './system/get-system-status-contract.ts';
import { identifyFacesContract } from './recognition/identify-faces-contract.ts';
import { importArchiveContract } from './transfer/import-archive-contract.ts';
import { labelClusterContract } from './clusters/label-cluster-contract.ts';
import { labelDetectionContract } from './detections/label-detection-contract.ts';
import { labelDetectionsContract } from './detections/label-detections-contract.ts';
import { listAuditContract } from './audit/list-audit-contract.ts';
import { listChangesContract } from './changes/list-changes-contract.ts';
import { listClustersContract } from './clusters/list-clusters-contract.ts';
import { listDeliveriesContract } from './webhooks/list-deliveries-contract.ts';
import { listEnvironmentsContract } from './accounts/list-environments-contract.ts';
import { listFaceEmbeddingsContract } from './references/list-face-embeddings-contract.ts';
import { listGalleryContract } from './identities/list-gallery-contract.ts';
import { listGalleryBucketsContract } from './identities/list-gallery-buckets-contract.ts';
import { listIdentitiesContract } from './identities/list-identities-contract.ts';
import { listIdentityBucketsContract } from './identities/list-identity-buckets-contract.ts';
import { listIdentitySummariesContract } from './identities/list-identity-summaries-contract.ts';
import { listImageBucketsContract } from './images/list-image-buckets-contract.ts';
import { listImageDetectionsContract } from './images/list-image-detections-contract.ts';
import { listImageIdsContract } from './images/list-image-ids-contract.ts';
import { listImagesContract } from './images/list-images-contract.ts';
import { listInvitationsContract } from './members/list-invitations-contract.ts';
import { listJobItemsContract } from './jobs/list-job-items-contract.ts';
import { listJobsContract } from './jobs/list-jobs-contract.ts';
import { listKeysContract } from './accounts/list-keys-contract.ts';
import { listMembersContract } from './members/list-members-contract.ts';
import { listMismatchesContract } from './review/list-mismatches-contract.ts';
import { listModelsContract } from './models/list-models-contract.ts';
import { listObjectClassesContract } from './detections/list-object-classes-contract.ts';
import { listOperationItemsContract } from './operations/list-operation-items-contract.ts';
import { listOperationsContract } from './operations/list-operations-contract.ts';
import { listQueueBucketsContract } from './review/list-queue-buckets-contract.ts';
import { listRejectedFacesContract } from './identities/list-rejected-faces-contract.ts';
import { listReviewQueueContract } from './review/list-review-queue-contract.ts';
import { listSessionsContract } from './accounts/list-sessions-contract.ts';
import { listSettingsContract } from './settings/list-settings-contract.ts';
import { listSuggestionGroupsContract } from './review/list-suggestion-groups-contract.ts';
import { listUnknownBucketsContract } from './detections/list-unknown-buckets-contract.ts';
import { listUnknownFacesContract } from './detections/list-unknown-faces-contract.ts';
import { listUsersContract } from './accounts/list-users-contract.ts';
import { listWebhooksContract } from './webhooks/list-webhooks-contract.ts';
import { mergeIdentityContract } from './identities/merge-identity-contract.ts';
import { pingWebhookContract } from './webhooks/ping-webhook-contract.ts';
import { planActivationContract } from './models/plan-activation-contract.ts';
import { prepareSignOnContract } from './sign-on/prepare-sign-on-contract.ts';
import { putSettingContract } from './settings/put-setting-contract.ts';
import { queryDetectionsContract } from './detections/query-detections-contract.ts';
import { reassignFaceContract } from './review/reassign-face-contract.ts';
import { registerWebhookContract } from './webhooks/register-webhook-contract.ts';
import { rejectFaceContract } from './review/reject-face-contract.ts';
import { removeLoginContract } from './sign-on/remove-login-contract.ts';
import { removeMemberContract } from './members/remove-member-contract.ts';
import { renameEnvironmentContract } from './accounts/rename-environment-contract.ts';
import { renameIdentityContract } from './identities/rename-identity-contract.ts';
import { reprocessImageContract } from './recognition/reprocess-image-contract.ts';
import { reprocessImagesContract } from './recognition/reprocess-images-contract.ts';
import { restoreFaceContract } from './review/restore-face-contract.ts';
import { retryJobContract } from './jobs/retry-job-contract.ts';
import { reviewFacesContract } from './review/review-faces-contract.ts';
import { revokeDetectionContract } from './references/revoke-detection-contract.ts';
import { revokeInvitationContract } from './members/revoke-invitation-contract.ts';
import { searchIdentitiesContract } from './search/search-identities-contract.ts';
import { sendDeliveryContract } from './webhooks/send-delivery-contract.ts';
import { setIdentityCoverContract } from './identities/set-identity-cover-contract.ts';
import { setIdentityRefContract } from './identities/set-identity-ref-contract.ts';
import { signInContract } from './accounts/sign-in-contract.ts';
import { signOutContract } from './accounts/sign-out-contract.ts';
import { startSignOnContract } from './sign-on/start-sign-on-contract.ts';
import { testBatchContract } from './recognition/test-batch-contract.ts';
import { testImageContract } from './recognition/test-image-contract.ts';
import { unassignFaceContract } from './review/unassign-face-contract.ts';
import { undoOperationContract } from './operations/undo-operation-contract.ts';
import { verifyFacesContract } from './recognition/verify-faces-contract.ts';

/** Every endpoint; the keys are the operation ids and the client's methods. */
export const API_CONTRACTS = {
  acceptInvitation: acceptInvitationContract,
  activateModel: activateModelContract,
  appointOwner: appointOwnerContract,
  bulkDetections: bulkDetectionsContract,
  bulkImages: bulkImagesContract,
  cancelJob: cancelJobContract,
  changeMember: changeMemberContract,
  changePassword: changePasswordContract,
  changeProfile: changeProfileContract,
  changeUser: changeUserContract,
  changeWebhook: changeWebhookContract,
  confirmFace: confirmFaceContract,
  countClusters: countClustersContract,
  countImages: countImagesContract,
  countReviewQueue: countReviewQueueContract,
  createDetection: createDetectionContract,
  createEnvironment: createEnvironmentContract,
  createIdentity: createIdentityContract,
  createInvitation: createInvitationContract,
  createKey: createKeyContract,
  createUser: createUserContract,
  deleteDetection: deleteDetectionContract,
  deleteDetections: deleteDetectionsContract,
  deleteEnvironment: deleteEnvironmentContract,
  deleteFaceEmbedding: deleteFaceEmbeddingContract,
  deleteIdentities: deleteIdentitiesContract,
  deleteIdentity: deleteIdentityContract,
  deleteImage: deleteImageContract,
  deleteJob: deleteJobContract,
  deleteKey: deleteKeyContract,
  deleteWebhook: deleteWebhookContract,
  detectAll: detectAllContract,
  detectBulk: detectBulkContract,
  detectFaces: detectFacesContract,
  detectObjects: detectObjectsContract,
  dismissCluster: dismissClusterContract,
  dismissDetections: dismissDetectionsContract,
  dismissMismatch: dismissMismatchContract,
  dismissMismatches: dismissMismatchesContract,
  downloadModel: downloadModelContract,
  endSession: endSessionContract,
  enrollDetection: enrollDetectionContract,
  enrollFace: enrollFaceContract,
  enrollIdentity: enrollIdentityContract,
  exportLibrary: exportLibraryContract,
  finishSignOn: finishSignOnContract,
  getCapabilities: getCapabilitiesContract,
  getCluster: getClusterContract,
  getCropFile: getCropFileContract,
  getDailyStats: getDailyStatsContract,
  getDelivery: getDeliveryContract,
  getDetection: getDetectionContract,
  getDocs: getDocsContract,
  getEnvironment: getEnvironmentContract,
  getFaceEmbedding: getFaceEmbeddingContract,
  getHealth: getHealthContract,
  getIdentity: getIdentityContract,
  getImage: getImageContract,
  getImageFaces: getImageFacesContract,
  getJob: getJobContract,
  getJobResults: getJobResultsContract,
  getModel: getModelContract,
  getOpenapi: getOpenapiContract,
  getProfile: getProfileContract,
  getSession: getSessionContract,
  getSetting: getSettingContract,
  getSourceFile: getSourceFileContract,
  getStats: getStatsContract,
  getSystemStatus: getSystemStatusContract,
  identifyFaces: identifyFacesContract,
  importArchive: importArchiveContract,
  labelCluster: labelClusterContract,
  labelDetection: labelDetectionContract,
  labelDetections: labelDetectionsContract,
  listAudit: listAuditContract,
  listChanges: listChangesContract,
  listClusters: listClustersContract,
  listDeliveries: listDeliveriesContract,
  listEnvironments: listEnvironmentsContract,
  listFaceEmbeddings: listFaceEmbeddingsContract,
  listGallery: listGalleryContract,
  listGalleryBuckets: listGalleryBucketsContract,
  listIdentities: listIdentitiesContract,
  listIdentityBuckets: listIdentityBucketsContract,
  listIdentitySummaries: listIdentitySummariesContract,
  listImageBuckets: listImageBucketsContract,
  listImageDetections: listImageDetectionsContract,
  listImageIds: listImageIdsContract,
  listImages: listImagesContract,
  listInvitations: listInvitationsContract,
  listJobItems: listJobItemsContract,
  listJobs: listJobsContract,
  listKeys: listKeysContract,
  listMembers: listMembersContract,
  listMismatches: listMismatchesContract,
  listModels: listModelsContract,
  listObjectClasses: listObjectClassesContract,
  listOperationItems: listOperationItemsContract,
  listOperations: listOperationsContract,
  listQueueBuckets: listQueueBucketsContract,
  listRejectedFaces: listRejectedFacesContract,
  listReviewQueue: listReviewQueueContract,
  listSessions: listSessionsContract,
  listSettings: listSettingsContract,
  listSuggestionGroups: listSuggestionGroupsContract,
  listUnknownBuckets: listUnknownBucketsContract,
  listUnknownFaces: listUnknownFacesContract,
  listUsers: listUsersContract,
  listWebhooks: listWebhooksContract,
  mergeIdentity: mergeIdentityContract,
  pingWebhook: pingWebhookContract,
  planActivation: planActivationContract,
  prepareSignOn: prepareSignOnContract,
  putSetting: putSettingContract,
  queryDetections: queryDetectionsContract,
  reassignFace: reassignFaceContract,
  registerWebhook: registerWebhookContract,
  rejectFace: rejectFaceContract,
  removeLogin: removeLoginContract,
  removeMember: removeMemberContract,
  renameEnvironment: renameEnvironmentContract,
  renameIdentity: renameIdentityContract,
  reprocessImage: reprocessImageContract,
  reprocessImages: reprocessImagesContract,
  restoreFace: restoreFaceContract,
  retryJob: retryJobContract,
  reviewFaces: reviewFacesContract,
  revokeDetection: revokeDetectionContract,
  revokeInvitation: revokeInvitationContract,
  searchIdentities: searchIdentitiesContract,
  sendDelivery: sendDeliveryContract,
  setIdentityCover: setIdentityCoverContract,
  setIdentityRef: setIdentityRefContract,
  signIn: signInContract,
  signOut: signOutContract,
  startSignOn: startSignOnContract,
  testBatch: testBatchContract,
  testImage: testImageContract,
  unassignFace: unassignFaceContract,
  undoOperation: undoOperationContract,
  verifyFaces: verifyFacesContract,
} as const satisfies Record<string, RouteContract>;
