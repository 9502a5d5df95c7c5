import { z } from 'zod';
import { ACCOUNT_CONFLICTS } from './accounts/account-conflicts.ts';
import type { ProblemDefinition } from './problem-definition.ts';
import { WORK_PROBLEMS } from './problems-of-work.ts';

/** All error codes. Clients may rely on the codes; titles and descriptions may change. */
export const PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    description: 'Part of the input is missing or invalid; `errors` lists the invalid parts.',
  },
  invalid_json: {
    status: 400,
    title: 'Invalid JSON',
    description: 'The body is not well-formed JSON in UTF-8.',
  },
  invalid_multipart: {
    status: 400,
    title: 'Invalid multipart body',
    description: 'The body is not a well-formed multipart form.',
  },
  image_source: {
    status: 400,
    title: 'Not exactly one image source',
    description:
      'Each image needs exactly one source, a file, a URL or base64 text, and the source must not be empty.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    description:
      'The key in `X-API-Key` is missing, unknown, expired or revoked, and so is the session of the cookie.',
    challenge: 'ApiKey realm="Sightline", header="X-API-Key"',
  },
  invalid_credentials: {
    status: 401,
    title: 'Wrong credentials',
    description:
      'The e-mail address or the password is wrong, or the account is disabled; the answer does not say which.',
    challenge: 'ApiKey realm="Sightline", header="X-API-Key"',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    description:
      'The type of the key, or the role of the account in the environment, does not allow the request.',
  },
  cross_site: {
    status: 403,
    title: 'Request from another site',
    description:
      'A session is honored only for requests from a page of the service. Use an API key for all others.',
  },
  password_change_required: {
    status: 403,
    title: 'Password change required',
    description:
      'An administrator made the password; change it with `PUT /api/account/password` before anything else.',
  },
  admin_required: {
    status: 403,
    title: 'Administrator required',
    description:
      "The request affects the whole installation and needs an administrator, or an administrator's key.",
  },
  not_found: {
    status: 404,
    title: 'Not found',
    description: 'The path or the record does not exist.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    description: 'The path does not support this method; `Allow` lists the supported methods.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    description: 'The body did not arrive in time, or arrived too slowly.',
  },
  identity_exists: {
    status: 409,
    title: 'Identity exists',
    description:
      'The environment already has an identity with this type and label; `identity_id` is the id of that identity.',
  },
  not_undoable: {
    status: 409,
    title: 'Not undoable',
    description: 'The values from before the operation are not kept any more.',
  },
  changed_since: {
    status: 409,
    title: 'Changed since',
    description:
      'Records of the operation were changed again, and the request is strict; `changed` is their number.',
  },
  count_changed: {
    status: 409,
    title: 'Count changed',
    description:
      'Another number of records matches than the caller has confirmed; `count` is the number. Nothing was deleted.',
  },
  cluster_changed: {
    status: 409,
    title: 'Cluster changed',
    description:
      'The group has other faces than those of its id. `cluster` is the group as it is now, like the answer of `GET /api/clusters/{cluster_id}`; `added` and `removed` are the ids of the faces that came and left, at most 1,000 each, or null if it is not found any more which faces it had.',
  },
  external_ref_conflict: {
    status: 409,
    title: 'External reference conflict',
    description:
      'The identity already has a different external_ref; `identity_id` is the id of the identity.',
  },
  enrolled_elsewhere: {
    status: 409,
    title: 'Face enrolled under another identity',
    description:
      'The face is already enrolled under another identity; `identity_id` is the id of that identity.',
  },
  not_rejected: {
    status: 409,
    title: 'Not rejected',
    description: 'Only a rejected detection can be restored.',
  },
  no_source: {
    status: 409,
    title: 'No source',
    description: 'The catalog has no download address for the model.',
  },
  no_model_store: {
    status: 409,
    title: 'No model store',
    description:
      'The installation has no S3 bucket for downloaded models, so inference processes could not read the model. The operator of the installation has to configure a bucket.',
  },
  no_secret_key: {
    status: 409,
    title: 'No key for secrets',
    description:
      'The installation has no key for encrypting secrets, or no longer the key with which a stored secret was encrypted; the operator of the installation has to set `SIGHTLINE_SECRET_KEY`.',
  },
  ...ACCOUNT_CONFLICTS,
  limit_reached: {
    status: 409,
    title: 'Limit reached',
    description:
      'The environment already has the maximum number of records of this type; delete a record first.',
  },
  idempotency_mismatch: {
    status: 409,
    title: 'Idempotency key reused',
    description: 'The `Idempotency-Key` was already used for a different request; use a new key.',
  },
  job_unfinished: {
    status: 409,
    title: 'Job unfinished',
    description: 'The job has not ended yet; wait until the job ends, or cancel the job.',
  },
  job_finished: {
    status: 409,
    title: 'Job finished',
    description: 'The job has ended already, so it cannot be cancelled.',
  },
  ...WORK_PROBLEMS,
  model_not_downloaded: {
    status: 409,
    title: 'Model not downloaded',
    description: "The model's files are not downloaded; download the model first.",
  },
  activation_declared: {
    status: 409,
    title: 'Model managed by another field manager',
    description:
      'Another field manager (for example a GitOps controller) owns the model of the Kubernetes `InferenceRoute`; change the model through that field manager.',
  },
  activation_superseded: {
    status: 409,
    title: 'Activation superseded',
    description: 'Another model was requested before this one became active.',
  },
  in_progress: {
    status: 409,
    title: 'In progress',
    description:
      'The first request with this `Idempotency-Key`, or another activation of the task, is still in progress; retry later.',
    retryAfterSeconds: 1,
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    description: 'The body is larger than the endpoint accepts.',
  },
  file_too_large: {
    status: 413,
    title: 'File too large',
    description:
      'A file of the form, or its uncompressed content, is larger than the endpoint accepts.',
  },
  field_too_large: {
    status: 413,
    title: 'Field too large',
    description: 'A text field of the form is larger than the endpoint accepts.',
  },
  too_many_parts: {
    status: 413,
    title: 'Too many parts',
    description: 'The body has more parts or images than the endpoint accepts.',
  },
  image_too_large: {
    status: 413,
    title: 'Image too large',
    description:
      'The image has too many bytes or pixels; `GET /api/capabilities` lists the limits.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    description: 'The endpoint does not accept the media type or encoding of the body.',
  },
  unsupported_format: {
    status: 415,
    title: 'Unsupported image format',
    description:
      'The content is not in an accepted image format, or in a variant of one that is not supported, whatever the file name says.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    description:
      'The range starts after the end of the file; `Content-Range` gives the length of the file.',
    headers: { 'Content-Range': '`bytes */` followed by the length of the file.' },
  },
  archive_invalid: {
    status: 422,
    title: 'Archive cannot be imported',
    description:
      'The archive is damaged, incomplete, from another product or from a later version. If the error is in a single file of the archive, `entry` names the file.',
  },
  face_count: {
    status: 422,
    title: 'Wrong number of faces',
    description:
      'The image does not contain the number of faces that the operation needs; `faces` is the number of faces that were found.',
  },
  image_corrupt: {
    status: 422,
    title: 'Image cannot be decoded',
    description: 'The image is truncated or damaged, or the file of a stored image is missing.',
  },
  target_refused: {
    status: 422,
    title: 'Target refused',
    description:
      'The service does not send requests to this URL. Use an http or https URL without credentials, whose host has no reserved address and does not belong to this installation.',
  },
  image_fetch_failed: {
    status: 422,
    title: 'Image cannot be fetched',
    description:
      'The service could not fetch the image from the URL. The log of the service contains the reason.',
  },
  type_mismatch: {
    status: 422,
    title: 'Type mismatch',
    description:
      'A face can only be assigned to a face identity, and an object only to an object identity.',
  },
  not_a_face: {
    status: 422,
    title: 'Not a face',
    description: 'The operation needs a face, but the detection is an object.',
  },
  not_assigned: {
    status: 422,
    title: 'Not assigned',
    description: 'The face has no identity under which it could be enrolled.',
  },
  not_of_identity: {
    status: 422,
    title: 'Detection belongs to another identity',
    description: 'The detection does not belong to the identity.',
  },
  no_embedding: {
    status: 422,
    title: 'No embedding',
    description:
      'The face has no embedding of the active model, so it can neither be enrolled nor compared. Either the model makes none, or eyes, nose and mouth were not found in plausible positions.',
  },
  model_load_failed: {
    status: 422,
    title: 'Model cannot be loaded',
    description:
      'A process cannot load the model; the previous model stays active in all processes.',
  },
  overloaded: {
    status: 429,
    title: 'Overloaded',
    description:
      'The queue or the memory for requests is full. Or the key or the environment has used its share of the queue, of the memory, of the disk space for batches, or of the requests in progress. Retry after `Retry-After` seconds.',
    retryAfterSeconds: 1,
  },
  rate_limited: {
    status: 429,
    title: 'Too many requests',
    description:
      'The key has sent as many requests as the installation allows per minute. Or too many attempts to sign in have failed recently, or are in progress. Retry after `Retry-After` seconds.',
    retryAfterSeconds: 60,
  },
  too_many_jobs: {
    status: 429,
    title: 'Too many jobs',
    description:
      'The environment already has 100 unfinished jobs, which is the maximum; retry when a job has ended.',
    retryAfterSeconds: 10,
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    description: 'The request line and the headers together exceed 16 KiB.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    description:
      'An unexpected error occurred. The log of the service contains the details under the request id.',
  },
  no_active_model: {
    status: 503,
    title: 'No active model',
    description: 'The operation needs an active model for a task that has no active model.',
    retryAfterSeconds: 30,
  },
  inference_unavailable: {
    status: 503,
    title: 'Inference unavailable',
    description: 'Inference failed or cannot be reached; a retry may succeed.',
    retryAfterSeconds: 5,
  },
  identity_provider_unavailable: {
    status: 503,
    title: 'Identity provider unavailable',
    description:
      'The OpenID provider of the installation cannot be reached, or refuses this installation; people with a password sign in with it. The log of the service contains the reason.',
    retryAfterSeconds: 5,
  },
  vectors_unavailable: {
    status: 503,
    title: 'Matching unavailable',
    description:
      'The vector index is unavailable, being built, or out of date, or enrolled faces do not yet have embeddings of the active model. Nothing was stored, and a retry may succeed.',
    retryAfterSeconds: 5,
  },
  store_unavailable: {
    status: 503,
    title: 'Store unavailable',
    description:
      'The database, the media store or the disk for uploads is unavailable or full, or timed out; the request was not stored partially, and a retry may succeed.',
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof PROBLEMS;

export const Problem = z
  .looseObject({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.enum(Object.keys(PROBLEMS) as [ProblemCode, ...ProblemCode[]]),
    request_id: z.string(),
    errors: z
      .array(z.object({ path: z.string(), message: z.string() }))
      .optional()
      .describe('The invalid parts of the input.'),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457); some codes add members.' });

export type Problem = z.output<typeof Problem>;
