import type { ProblemCode } from './problem.ts';

export const JSON_PROBLEMS = [
  'invalid_request',
  'invalid_json',
  'request_timeout',
  'body_too_large',
  'unsupported_media_type',
  'overloaded',
] as const satisfies readonly ProblemCode[];

export const FORM_PROBLEMS = [
  'invalid_request',
  'invalid_multipart',
  'request_timeout',
  'body_too_large',
  'field_too_large',
  'too_many_parts',
  'unsupported_media_type',
] as const satisfies readonly ProblemCode[];

/** The problems of every endpoint that accepts images as a form or as JSON. */
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

/** The problems of every endpoint that detects faces or objects and stores the detections. */
export const DETECT_PROBLEMS = [
  ...IMAGE_PROBLEMS,
  'no_active_model',
  'vectors_unavailable',
] as const satisfies readonly ProblemCode[];

export const STORED_IMAGE_PROBLEMS = [
  'image_too_large',
  'unsupported_format',
  'image_corrupt',
  'overloaded',
  'inference_unavailable',
  'vectors_unavailable',
] as const satisfies readonly ProblemCode[];

export const ENROLL_PROBLEMS = [
  ...DETECT_PROBLEMS,
  'face_count',
  'enrolled_elsewhere',
  'no_embedding',
] as const satisfies readonly ProblemCode[];

/** The problems that fail a whole request, without the problems that fail only one item. */
export function problemsBeside(
  ofItem: readonly ProblemCode[],
  problems: readonly ProblemCode[],
): readonly ProblemCode[] {
  return problems.filter((code) => !ofItem.includes(code));
}
