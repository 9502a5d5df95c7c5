// Written by scripts/write-endpoints.ts from the files that it imports: run `make generate`.
import type { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import type { RoutesOf } from './http/define-route.ts';
import { acceptInvitationRoute } from './routes/members/accept-invitation.ts';
import { activateModelRoute } from './routes/models/activate-model.ts';
import { appointOwnerRoute } from './routes/members/appoint-owner.ts';
import { bulkDetectionsRoute } from './routes/detections/bulk-detections.ts';
import { bulkImagesRoute } from './routes/images/bulk-images.ts';
import { cancelJobRoute } from './routes/jobs/cancel-job.ts';
import { changeMemberRoute } from './routes/members/change-member.ts';
import { changePasswordRoute } from './routes/accounts/change-password.ts';
import { changeProfileRoute } from './routes/accounts/change-profile.ts';
import { changeUserRoute } from './routes/accounts/change-user.ts';
import { changeWebhookRoute } from './routes/webhooks/change-webhook.ts';
import { confirmFaceRoute } from './routes/review/confirm-face.ts';
import { countClustersRoute } from './routes/clusters/count-clusters.ts';
import { countImagesRoute } from './routes/images/count-images.ts';
import { countReviewQueueRoute } from './routes/review/count-review-queue.ts';
import { createDetectionRoute } from './routes/recognition/create-detection.ts';
import { createEnvironmentRoute } from './routes/accounts/create-environment.ts';
import { createIdentityRoute } from './routes/identities/create-identity.ts';
import { createInvitationRoute } from './routes/members/create-invitation.ts';
import { createKeyRoute } from './routes/accounts/create-key.ts';
import { createUserRoute } from './routes/accounts/create-user.ts';
import { deleteDetectionRoute } from './routes/detections/delete-detection.ts';
import { deleteDetectionsRoute } from './routes/detections/delete-detections.ts';
import { deleteEnvironmentRoute } from './routes/accounts/delete-environment.ts';
import { deleteFaceEmbeddingRoute } from './routes/references/delete-face-embedding.ts';
import { deleteIdentitiesRoute } from './routes/identities/delete-identities.ts';
import { deleteIdentityRoute } from './routes/identities/delete-identity.ts';
import { deleteImageRoute } from './routes/images/delete-image.ts';
import { deleteJobRoute } from './routes/jobs/delete-job.ts';
import { deleteKeyRoute } from './routes/accounts/delete-key.ts';
import { deleteWebhookRoute } from './routes/webhooks/delete-webhook.ts';
import { detectAllRoute } from './routes/recognition/detect-all.ts';
import { detectBulkRoute } from './routes/recognition/detect-bulk.ts';
import { detectFacesRoute } from './routes/recognition/detect-faces.ts';
import { detectObjectsRoute } from './routes/recognition/detect-objects.ts';
import { dismissClusterRoute } from './routes/clusters/dismiss-cluster.ts';
import { dismissDetectionsRoute } from './routes/detections/dismiss-detections.ts';
import { dismissMismatchRoute } from './routes/review/dismiss-mismatch.ts';
import { dismissMismatchesRoute } from './routes/review/dismiss-mismatches.ts';
import { downloadModelRoute } from './routes/models/download-model.ts';
import { endSessionRoute } from './routes/accounts/end-session.ts';
import { enrollDetectionRoute } from './routes/references/enroll-detection.ts';
import { enrollFaceRoute } from './routes/references/enroll-face.ts';
import { enrollIdentityRoute } from './routes/references/enroll-identity.ts';
import { exportLibraryRoute } from './routes/transfer/export-library.ts';
import { finishSignOnRoute } from './routes/sign-on/finish-sign-on.ts';
import { getCapabilitiesRoute } from './routes/discovery/get-capabilities.ts';
import { getClusterRoute } from './routes/clusters/get-cluster.ts';
import { getCropFileRoute } from './routes/media/get-crop-file.ts';
import { getDailyStatsRoute } from './routes/statistics/get-daily-stats.ts';
import { getDeliveryRoute } from './routes/webhooks/get-delivery.ts';
import { getDetectionRoute } from './routes/detections/get-detection.ts';
import { getDocsRoute } from './routes/discovery/get-docs.ts';
import { getEnvironmentRoute } from './routes/accounts/get-environment.ts';
import { getFaceEmbeddingRoute } from './routes/references/get-face-embedding.ts';
import { getHealthRoute } from './routes/discovery/get-health.ts';
import { getIdentityRoute } from './routes/identities/get-identity.ts';
import { getImageRoute } from './routes/images/get-image.ts';
import { getImageFacesRoute } from './routes/images/get-image-faces.ts';
import { getJobRoute } from './routes/jobs/get-job.ts';
import { getJobResultsRoute } from './routes/jobs/get-job-results.ts';
import { getModelRoute } from './routes/models/get-model.ts';
import { getOpenapiRoute } from './routes/discovery/get-openapi.ts';
import { getProfileRoute } from './routes/accounts/get-profile.ts';
import { getSessionRoute } from './routes/accounts/get-session.ts';
import { getSettingRoute } from './routes/settings/get-setting.ts';
import { getSourceFileRoute } from './routes/media/get-source-file.ts';
import { getStatsRoute } from './routes/statistics/get-stats.ts';
import { getSystemStatusRoute } from './routes/system/get-system-status.ts';
import { identifyFacesRoute } from './routes/recognition/identify-faces.ts';
import { importArchiveRoute } from './routes/transfer/import-archive.ts';
import { labelClusterRoute } from './routes/clusters/label-cluster.ts';
import { labelDetectionRoute } from './routes/detections/label-detection.ts';
import { labelDetectionsRoute } from './routes/detections/label-detections.ts';
import { listAuditRoute } from './routes/audit/list-audit.ts';
import { listChangesRoute } from './routes/changes/list-changes.ts';
import { listClustersRoute } from './routes/clusters/list-clusters.ts';
import { listDeliveriesRoute } from './routes/webhooks/list-deliveries.ts';
import { listEnvironmentsRoute } from './routes/accounts/list-environments.ts';
import { listFaceEmbeddingsRoute } from './routes/references/list-face-embeddings.ts';
import { listGalleryRoute } from './routes/identities/list-gallery.ts';
import { listGalleryBucketsRoute } from './routes/identities/list-gallery-buckets.ts';
import { listIdentitiesRoute } from './routes/identities/list-identities.ts';
import { listIdentityBucketsRoute } from './routes/identities/list-identity-buckets.ts';
import { listIdentitySummariesRoute } from './routes/identities/list-identity-summaries.ts';
import { listImageBucketsRoute } from './routes/images/list-image-buckets.ts';
import { listImageDetectionsRoute } from './routes/images/list-image-detections.ts';
import { listImageIdsRoute } from './routes/images/list-image-ids.ts';
import { listImagesRoute } from './routes/images/list-images.ts';
import { listInvitationsRoute } from './routes/members/list-invitations.ts';
import { listJobItemsRoute } from './routes/jobs/list-job-items.ts';
import { listJobsRoute } from './routes/jobs/list-jobs.ts';
import { listKeysRoute } from './routes/accounts/list-keys.ts';
import { listMembersRoute } from './routes/members/list-members.ts';
import { listMismatchesRoute } from './routes/review/list-mismatches.ts';
import { listModelsRoute } from './routes/models/list-models.ts';
import { listObjectClassesRoute } from './routes/detections/list-object-classes.ts';
import { listOperationItemsRoute } from './routes/operations/list-operation-items.ts';
import { listOperationsRoute } from './routes/operations/list-operations.ts';
import { listQueueBucketsRoute } from './routes/review/list-queue-buckets.ts';
import { listRejectedFacesRoute } from './routes/identities/list-rejected-faces.ts';
import { listReviewQueueRoute } from './routes/review/list-review-queue.ts';
import { listSessionsRoute } from './routes/accounts/list-sessions.ts';
import { listSettingsRoute } from './routes/settings/list-settings.ts';
import { listSuggestionGroupsRoute } from './routes/review/list-suggestion-groups.ts';
import { listUnknownBucketsRoute } from './routes/detections/list-unknown-buckets.ts';
import { listUnknownFacesRoute } from './routes/detections/list-unknown-faces.ts';
import { listUsersRoute } from './routes/accounts/list-users.ts';
import { listWebhooksRoute } from './routes/webhooks/list-webhooks.ts';
import { mergeIdentityRoute } from './routes/identities/merge-identity.ts';
import { pingWebhookRoute } from './routes/webhooks/ping-webhook.ts';
import { planActivationRoute } from './routes/models/plan-activation.ts';
import { prepareSignOnRoute } from './routes/sign-on/prepare-sign-on.ts';
import { putSettingRoute } from './routes/settings/put-setting.ts';
import { queryDetectionsRoute } from './routes/detections/query-detections.ts';
import { reassignFaceRoute } from './routes/review/reassign-face.ts';
import { registerWebhookRoute } from './routes/webhooks/register-webhook.ts';
import { rejectFaceRoute } from './routes/review/reject-face.ts';
import { removeLoginRoute } from './routes/sign-on/remove-login.ts';
import { removeMemberRoute } from './routes/members/remove-member.ts';
import { renameEnvironmentRoute } from './routes/accounts/rename-environment.ts';
import { renameIdentityRoute } from './routes/identities/rename-identity.ts';
import { reprocessImageRoute } from './routes/recognition/reprocess-image.ts';
import { reprocessImagesRoute } from './routes/recognition/reprocess-images.ts';
import { restoreFaceRoute } from './routes/review/restore-face.ts';
import { retryJobRoute } from './routes/jobs/retry-job.ts';
import { reviewFacesRoute } from './routes/review/review-faces.ts';
import { revokeDetectionRoute } from './routes/references/revoke-detection.ts';
import { revokeInvitationRoute } from './routes/members/revoke-invitation.ts';
import { searchIdentitiesRoute } from './routes/search/search-identities.ts';
import { sendDeliveryRoute } from './routes/webhooks/send-delivery.ts';
import { setIdentityCoverRoute } from './routes/identities/set-identity-cover.ts';
import { setIdentityRefRoute } from './routes/identities/set-identity-ref.ts';
import { signInRoute } from './routes/accounts/sign-in.ts';
import { signOutRoute } from './routes/accounts/sign-out.ts';
import { startSignOnRoute } from './routes/sign-on/start-sign-on.ts';
import { testBatchRoute } from './routes/recognition/test-batch.ts';
import { testImageRoute } from './routes/recognition/test-image.ts';
import { unassignFaceRoute } from './routes/review/unassign-face.ts';
import { undoOperationRoute } from './routes/operations/undo-operation.ts';
import { verifyFacesRoute } from './routes/recognition/verify-faces.ts';

/** Every endpoint of the API: each contract with its handler. */
export const ROUTES = {
  acceptInvitation: acceptInvitationRoute,
  activateModel: activateModelRoute,
  appointOwner: appointOwnerRoute,
  bulkDetections: bulkDetectionsRoute,
  bulkImages: bulkImagesRoute,
  cancelJob: cancelJobRoute,
  changeMember: changeMemberRoute,
  changePassword: changePasswordRoute,
  changeProfile: changeProfileRoute,
  changeUser: changeUserRoute,
  changeWebhook: changeWebhookRoute,
  confirmFace: confirmFaceRoute,
  countClusters: countClustersRoute,
  countImages: countImagesRoute,
  countReviewQueue: countReviewQueueRoute,
  createDetection: createDetectionRoute,
  createEnvironment: createEnvironmentRoute,
  createIdentity: createIdentityRoute,
  createInvitation: createInvitationRoute,
  createKey: createKeyRoute,
  createUser: createUserRoute,
  deleteDetection: deleteDetectionRoute,
  deleteDetections: deleteDetectionsRoute,
  deleteEnvironment: deleteEnvironmentRoute,
  deleteFaceEmbedding: deleteFaceEmbeddingRoute,
  deleteIdentities: deleteIdentitiesRoute,
  deleteIdentity: deleteIdentityRoute,
  deleteImage: deleteImageRoute,
  deleteJob: deleteJobRoute,
  deleteKey: deleteKeyRoute,
  deleteWebhook: deleteWebhookRoute,
  detectAll: detectAllRoute,
  detectBulk: detectBulkRoute,
  detectFaces: detectFacesRoute,
  detectObjects: detectObjectsRoute,
  dismissCluster: dismissClusterRoute,
  dismissDetections: dismissDetectionsRoute,
  dismissMismatch: dismissMismatchRoute,
  dismissMismatches: dismissMismatchesRoute,
  downloadModel: downloadModelRoute,
  endSession: endSessionRoute,
  enrollDetection: enrollDetectionRoute,
  enrollFace: enrollFaceRoute,
  enrollIdentity: enrollIdentityRoute,
  exportLibrary: exportLibraryRoute,
  finishSignOn: finishSignOnRoute,
  getCapabilities: getCapabilitiesRoute,
  getCluster: getClusterRoute,
  getCropFile: getCropFileRoute,
  getDailyStats: getDailyStatsRoute,
  getDelivery: getDeliveryRoute,
  getDetection: getDetectionRoute,
  getDocs: getDocsRoute,
  getEnvironment: getEnvironmentRoute,
  getFaceEmbedding: getFaceEmbeddingRoute,
  getHealth: getHealthRoute,
  getIdentity: getIdentityRoute,
  getImage: getImageRoute,
  getImageFaces: getImageFacesRoute,
  getJob: getJobRoute,
  getJobResults: getJobResultsRoute,
  getModel: getModelRoute,
  getOpenapi: getOpenapiRoute,
  getProfile: getProfileRoute,
  getSession: getSessionRoute,
  getSetting: getSettingRoute,
  getSourceFile: getSourceFileRoute,
  getStats: getStatsRoute,
  getSystemStatus: getSystemStatusRoute,
  identifyFaces: identifyFacesRoute,
  importArchive: importArchiveRoute,
  labelCluster: labelClusterRoute,
  labelDetection: labelDetectionRoute,
  labelDetections: labelDetectionsRoute,
  listAudit: listAuditRoute,
  listChanges: listChangesRoute,
  listClusters: listClustersRoute,
  listDeliveries: listDeliveriesRoute,
  listEnvironments: listEnvironmentsRoute,
  listFaceEmbeddings: listFaceEmbeddingsRoute,
  listGallery: listGalleryRoute,
  listGalleryBuckets: listGalleryBucketsRoute,
  listIdentities: listIdentitiesRoute,
  listIdentityBuckets: listIdentityBucketsRoute,
  listIdentitySummaries: listIdentitySummariesRoute,
  listImageBuckets: listImageBucketsRoute,
  listImageDetections: listImageDetectionsRoute,
  listImageIds: listImageIdsRoute,
  listImages: listImagesRoute,
  listInvitations: listInvitationsRoute,
  listJobItems: listJobItemsRoute,
  listJobs: listJobsRoute,
  listKeys: listKeysRoute,
  listMembers: listMembersRoute,
  listMismatches: listMismatchesRoute,
  listModels: listModelsRoute,
  listObjectClasses: listObjectClassesRoute,
  listOperationItems: listOperationItemsRoute,
  listOperations: listOperationsRoute,
  listQueueBuckets: listQueueBucketsRoute,
  listRejectedFaces: listRejectedFacesRoute,
  listReviewQueue: listReviewQueueRoute,
  listSessions: listSessionsRoute,
  listSettings: listSettingsRoute,
  listSuggestionGroups: listSuggestionGroupsRoute,
  listUnknownBuckets: listUnknownBucketsRoute,
  listUnknownFaces: listUnknownFacesRoute,
  listUsers: listUsersRoute,
  listWebhooks: listWebhooksRoute,
  mergeIdentity: mergeIdentityRoute,
  pingWebhook: pingWebhookRoute,
  planActivation: planActivationRoute,
  prepareSignOn: prepareSignOnRoute,
  putSetting: putSettingRoute,
  queryDetections: queryDetectionsRoute,
  reassignFace: reassignFaceRoute,
  registerWebhook: registerWebhookRoute,
  rejectFace: rejectFaceRoute,
  removeLogin: removeLoginRoute,
  removeMember: removeMemberRoute,
  renameEnvironment: renameEnvironmentRoute,
  renameIdentity: renameIdentityRoute,
  reprocessImage: reprocessImageRoute,
  reprocessImages: reprocessImagesRoute,
  restoreFace: restoreFaceRoute,
  retryJob: retryJobRoute,
  reviewFaces: reviewFacesRoute,
  revokeDetection: revokeDetectionRoute,
  revokeInvitation: revokeInvitationRoute,
  searchIdentities: searchIdentitiesRoute,
  sendDelivery: sendDeliveryRoute,
  setIdentityCover: setIdentityCoverRoute,
  setIdentityRef: setIdentityRefRoute,
  signIn: signInRoute,
  signOut: signOutRoute,
  startSignOn: startSignOnRoute,
  testBatch: testBatchRoute,
  testImage: testImageRoute,
  unassignFace: unassignFaceRoute,
  undoOperation: undoOperationRoute,
  verifyFaces: verifyFacesRoute,
} satisfies RoutesOf<typeof API_CONTRACTS>;
