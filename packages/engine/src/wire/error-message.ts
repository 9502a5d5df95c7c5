import type { DomainError, ErrorFacts } from '@sightline/core/domain-error';
import {
  AnalysisFailed,
  InferenceOverloaded,
  InferenceUnavailable,
  ModelNotHere,
} from '@sightline/core/models/model-errors';
import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import { errorSchema, parseAs } from './head-schemas.ts';
import { parseHead } from './preamble.ts';
import { WireVersionMismatch } from './wire-errors.ts';
import { WIRE_VERSIONS } from './wire-versions.ts';

export interface WireError {
  readonly code: string;
  readonly detail: string;
  readonly facts: ErrorFacts;
  /** The seconds to wait before a retry; null if unknown. */
  readonly retryAfter: number | null;
}

/**
 * The error code for a request in an unsupported wire version. The fact `spoken` is the newest
 * version that the process supports. The status of the process lists all its versions.
 */
const WIRE_VERSION_CODE = 'wire_version';

/**
 * Processes of older releases treat the two codes below as inference_unavailable, because they do
 * not know the codes.
 */
const ANALYSIS_FAILED = 'analysis_failed';
const MODEL_NOT_HERE = 'model_not_here';

type Revive = (error: WireError) => DomainError;

const ERRORS: Readonly<Record<string, Revive>> = {
  unsupported_format: ({ detail, facts }) => new UnsupportedFormat(detail, facts),
  image_too_large: ({ detail, facts }) => new ImageTooLarge(detail, facts),
  image_corrupt: ({ detail, facts }) => new ImageCorrupt(detail, facts),
  overloaded: ({ retryAfter }) => new InferenceOverloaded(retryAfter ?? 1),
  [ANALYSIS_FAILED]: ({ detail, facts }) => new AnalysisFailed(detail, facts),
  [MODEL_NOT_HERE]: ({ detail, facts }) => new ModelNotHere(detail, facts),
  inference_unavailable: ({ detail, facts }) => new InferenceUnavailable(detail, facts),
};

export function describeError(error: DomainError): WireError {
  const { message, facts } = error;
  const code = codeOf(error);
  const retryAfter = error instanceof InferenceOverloaded ? error.retryAfterSeconds : null;
  return { code, detail: message, facts, retryAfter };
}

function codeOf(error: DomainError): string {
  if (error instanceof AnalysisFailed) return ANALYSIS_FAILED;
  return error instanceof ModelNotHere ? MODEL_NOT_HERE : error.code;
}

export function describeVersionMismatch({ message, spoken }: WireVersionMismatch): WireError {
  return {
    code: WIRE_VERSION_CODE,
    detail: message,
    facts: { spoken: Math.max(...spoken) },
    retryAfter: null,
  };
}

/**
 * Decodes an error. An unknown code becomes InferenceUnavailable.
 *
 * @throws MalformedMessage if the bytes are not an error; WireVersionMismatch if the other process
 *   rejected the request's version
 */
export function decodeError(bytes: Uint8Array): DomainError {
  const wireError = parseAs(errorSchema, parseHead(bytes));
  const revive = Object.hasOwn(ERRORS, wireError.code) ? ERRORS[wireError.code] : undefined;
  if (revive) return revive(wireError);
  const { spoken } = wireError.facts;
  if (wireError.code === WIRE_VERSION_CODE && typeof spoken === 'number') {
    throw new WireVersionMismatch(WIRE_VERSIONS, [spoken]);
  }
  const cause = new Error(`${wireError.code}: ${wireError.detail}`);
  return new InferenceUnavailable('The inference process rejected the request.', {}, { cause });
}
