import { z } from 'zod';
import { defineContract, jsonBody, jsonResponse } from '../define-contract.ts';
import { givenLabel } from '../identities/given-label.ts';
import { asynchronous, StartedBatch } from '../jobs/started-job.ts';
import { JSON_PROBLEMS } from '../problem-lists.ts';
import { idList } from '../record-id.ts';
import { ReviewedFaces } from '../review/review-faces-contract.ts';
import { clusterPath } from './get-cluster-contract.ts';

export const LabeledCluster = ReviewedFaces.extend({
  identity_id: z.int(),
  label: z.string(),
  created: z.boolean().describe('Whether the identity was created.'),
}).meta({ id: 'LabeledCluster', description: 'The identity that the faces of a group have.' });

/** The member of requests about a group that names faces of it. */
export const except = idList
  .default([])
  .describe('Faces of the group to leave out. Other ids are ignored. At most 1,000.');

export const CLUSTER_DECISION =
  'The request is for the faces that the id stands for. If the group has other faces by now, nothing is done: 409 `cluster_changed` has the group as it is now, and the ids of the faces that came and left. 404: the face with the lowest id is in no group any more. ' +
  'With more than 1,000 faces a request needs `async`: a job decides about them as one operation, and leaves out faces that another caller decides about first.';

export const labelClusterContract = defineContract({
  method: 'POST',
  path: '/api/clusters/{cluster_id}/label',
  right: 'review',
  operation: 'cluster_label',
  idempotent: true,
  tag: 'Groups of strangers',
  summary: 'Give all faces of a group an identity',
  description:
    CLUSTER_DECISION +
    ' The faces are confirmed and enrolled like those of `POST /api/detections/label`; a label that no person has creates one. A face that another caller decides about first fails with `changed_since` and keeps that decision.',
  request: {
    path: clusterPath,
    query: z.object({ async: asynchronous }),
    body: jsonBody(
      z.object({
        label: givenLabel
          .optional()
          .describe('Label of the person, who is created if there is none of this name.'),
        identity_id: z.int().optional().describe('Id of an existing identity.'),
        except,
        reject_except: z
          .boolean()
          .default(false)
          .describe(
            'Whether the faces of `except` are rejected from the identity, so that they are never suggested or matched for it again.',
          ),
      }),
      [['label', 'identity_id']],
    ),
  },
  responses: {
    200: jsonResponse('The identity, and the number of faces.', LabeledCluster),
    202: jsonResponse('The job that does the work.', StartedBatch),
  },
  problems: [
    ...JSON_PROBLEMS,
    'not_found',
    'cluster_changed',
    'type_mismatch',
    'too_many_jobs',
    'inference_unavailable',
  ],
});
