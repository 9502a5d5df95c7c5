import { z } from 'zod';

export interface ProblemDefinition {
  readonly status: number;
  readonly title: string;
  /** When it occurs and what the caller can do, in one sentence. */
  readonly description: string;
  /** `Retry-After` of the answer in seconds, unless the error knows better. */
  readonly retryAfterSeconds?: number;
  /** `WWW-Authenticate` of the answer. */
  readonly challenge?: string;
  /** Other headers that every answer with it has, and what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Every error code that an answer can carry. Codes are stable; the other columns may improve. */
export const PROBLEMS = {
  invalid_request: {
    status: 400,
    title: 'Invalid request',
    description: 'A part of the input is missing or wrong; `errors` names it.',
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
      'For each image exactly one of file, URL and base64 has to be given, and it may not be empty.',
  },
  unauthenticated: {
    status: 401,
    title: 'Not authenticated',
    description: 'There is no key in `X-API-Key`, or it is wrong, expired or revoked.',
    challenge: 'ApiKey realm="Sightline", header="X-API-Key"',
  },
  forbidden: {
    status: 403,
    title: 'Forbidden',
    description: 'The key only reads, and the request needs one with full rights.',
  },
  admin_required: {
    status: 403,
    title: 'Administrator required',
    description: "The request changes the whole installation and needs an administrator's key.",
  },
  not_found: {
    status: 404,
    title: 'Not found',
    description: 'There is nothing at this path, or no such record.',
  },
  method_not_allowed: {
    status: 405,
    title: 'Method not allowed',
    description: 'The path does not know this method; `Allow` lists those that it knows.',
  },
  request_timeout: {
    status: 408,
    title: 'Request timed out',
    description: 'The body did not arrive in time.',
  },
  identity_exists: {
    status: 409,
    title: 'Identity exists',
    description:
      'The environment has an identity of this type and label already; `identity_id` names it.',
  },
  external_ref_conflict: {
    status: 409,
    title: 'Another external reference',
    description: 'The identity has another external_ref already; `identity_id` names it.',
  },
  enrolled_elsewhere: {
    status: 409,
    title: 'Enrolled elsewhere',
    description: 'The face is enrolled under another identity; `identity_id` names it.',
  },
  idempotency_mismatch: {
    status: 409,
    title: 'Idempotency key used for another request',
    description: 'The `Idempotency-Key` came with another request before; take a new one.',
  },
  in_progress: {
    status: 409,
    title: 'In progress',
    description: 'The request with this `Idempotency-Key` is still being worked on.',
    retryAfterSeconds: 1,
  },
  body_too_large: {
    status: 413,
    title: 'Body too large',
    description: 'The body has more bytes than the endpoint takes.',
  },
  file_too_large: {
    status: 413,
    title: 'File too large',
    description: 'A file of the form has more bytes than the endpoint takes.',
  },
  field_too_large: {
    status: 413,
    title: 'Field too large',
    description: 'A text field of the form has more bytes than the endpoint takes.',
  },
  too_many_parts: {
    status: 413,
    title: 'Too many parts',
    description: 'The form has more parts than the endpoint takes.',
  },
  image_too_large: {
    status: 413,
    title: 'Image too large',
    description: 'The image has too many bytes or pixels; the capabilities name the limits.',
  },
  unsupported_media_type: {
    status: 415,
    title: 'Unsupported media type',
    description: 'The body is of a media type or encoding that the endpoint does not take.',
  },
  unsupported_format: {
    status: 415,
    title: 'Unsupported image format',
    description: 'The bytes are of none of the accepted image formats, whatever the name says.',
  },
  range_not_satisfiable: {
    status: 416,
    title: 'Range not satisfiable',
    description: 'The range begins behind the end of the file; `Content-Range` has its length.',
    headers: { 'Content-Range': '`bytes */` and the length of the file.' },
  },
  face_count: {
    status: 422,
    title: 'Wrong number of faces',
    description: 'The image has not as many faces as the operation needs; `faces` says how many.',
  },
  image_corrupt: {
    status: 422,
    title: 'Image cannot be decoded',
    description: 'The image is truncated or damaged.',
  },
  image_fetch_failed: {
    status: 422,
    title: 'Image cannot be fetched',
    description: 'The image URL is refused, cannot be reached or does not answer with an image.',
  },
  type_mismatch: {
    status: 422,
    title: 'Type mismatch',
    description: 'A face was to get an identity of objects, or an object one of faces.',
  },
  no_embedding: {
    status: 422,
    title: 'No embedding',
    description: 'The face has no embedding of the active model that could be enrolled.',
  },
  model_load_failed: {
    status: 422,
    title: 'Model cannot be loaded',
    description: 'The model does not load; the one before keeps answering.',
  },
  overloaded: {
    status: 429,
    title: 'Overloaded',
    description:
      'The queue or the memory for uploads is full; try again after `Retry-After` seconds.',
    retryAfterSeconds: 1,
  },
  headers_too_large: {
    status: 431,
    title: 'Headers too large',
    description: 'The head of the request, its address included, has more than 16 KiB.',
  },
  internal_error: {
    status: 500,
    title: 'Internal error',
    description: 'A defect of the service; the request id leads to it in the log.',
  },
  no_active_model: {
    status: 503,
    title: 'No active model',
    description: 'The operation needs a model of a task for which none is active.',
    retryAfterSeconds: 30,
  },
  inference_unavailable: {
    status: 503,
    title: 'Inference unavailable',
    description: 'Inference broke off or cannot be reached; the same request may succeed later.',
    retryAfterSeconds: 5,
  },
  vectors_unavailable: {
    status: 503,
    title: 'Matching unavailable',
    description:
      'The index of vectors is down, being built or behind; nothing was stored, and the same request may succeed later.',
    retryAfterSeconds: 5,
  },
  store_unavailable: {
    status: 503,
    title: 'Store unavailable',
    description:
      'The database or the store of files is down, full or gave up; nothing was half-done.',
    retryAfterSeconds: 5,
  },
} as const satisfies Record<string, ProblemDefinition>;

export type ProblemCode = keyof typeof PROBLEMS;

/** What every endpoint with a body of JSON can answer. */
export const JSON_PROBLEMS = [
  'invalid_request',
  'invalid_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'overloaded',
] as const satisfies readonly ProblemCode[];

/** What every endpoint with a multipart body can answer. */
export const FORM_PROBLEMS = [
  'invalid_request',
  'invalid_multipart',
  'request_timeout',
  'body_too_large',
  'field_too_large',
  'too_many_parts',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[];

/** What every endpoint that takes images, as a form or as JSON, can answer. */
export const IMAGE_PROBLEMS = [
  ...FORM_PROBLEMS,
  'invalid_json',
  'image_source',
  'image_fetch_failed',
  'image_too_large',
  'unsupported_format',
  'image_corrupt',
  'overloaded',
  'inference_unavailable',
] as const satisfies readonly ProblemCode[];

/** What every endpoint that detects and stores can answer. */
export const DETECT_PROBLEMS = [
  ...IMAGE_PROBLEMS,
  'no_active_model',
  'vectors_unavailable',
] as const satisfies readonly ProblemCode[];

/** What every endpoint that enrols a photo can answer. */
export const ENROLL_PROBLEMS = [
  ...DETECT_PROBLEMS,
  'face_count',
  'enrolled_elsewhere',
  'no_embedding',
] as const satisfies readonly ProblemCode[];

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
      .describe('The parts of the input that are wrong.'),
  })
  .meta({ id: 'Problem', description: 'An error (RFC 9457); some have further members.' });

export type Problem = z.output<typeof Problem>;
