import type { DomainError, ErrorFacts } from '@sightline/core/domain-error';
import { InferenceOverloaded, InferenceUnavailable } from '@sightline/core/models/model-errors';
import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';
import { errorSchema, parseAs } from './head-schemas.ts';
import { parseHead, WIRE_VERSION } from './preamble.ts';
import { WireVersionMismatch } from './wire-errors.ts';

/** An error of the port as it travels, in JSON. */
export interface WireError {
  readonly code: string;
  readonly detail: string;
  readonly facts: ErrorFacts;
  /** Seconds; null: nobody says. */
  readonly retryAfter: number | null;
}

/** Of a request in a version that the process does not speak; its own is the fact `spoken`. */
const WIRE_VERSION_CODE = 'wire_version';

type Revive = (error: WireError) => DomainError;

/** Those of ImageAnalyzer.analyze. */
const ERRORS: Readonly<Record<string, Revive>> = {
  unsupported_format: ({ detail, facts }) => new UnsupportedFormat(detail, facts),
  image_too_large: ({ detail, facts }) => new ImageTooLarge(detail, facts),
  image_corrupt: ({ detail, facts }) => new ImageCorrupt(detail, facts),
  overloaded: ({ retryAfter }) => new InferenceOverloaded(retryAfter ?? 1),
  inference_unavailable: ({ detail, facts }) => new InferenceUnavailable(detail, facts),
};

export function describeError(error: DomainError): WireError {
  const { code, message, facts } = error;
  const retryAfter = error instanceof InferenceOverloaded ? error.retryAfterSeconds : null;
  return { code, detail: message, facts, retryAfter };
}

/** What a process says to a request in another version of the format. */
export function describeVersionMismatch({ message, spoken }: WireVersionMismatch): WireError {
  return { code: WIRE_VERSION_CODE, detail: message, facts: { spoken }, retryAfter: null };
}

/**
 * The error with its class; InferenceUnavailable for a code that the port does not know.
 *
 * @throws MalformedMessage if the bytes are no error; WireVersionMismatch if they say that the
 *   request was one
 */
export function decodeError(bytes: Uint8Array): DomainError {
  const told = parseAs(errorSchema, parseHead(bytes));
  const revive = Object.hasOwn(ERRORS, told.code) ? ERRORS[told.code] : undefined;
  if (revive) return revive(told);
  const { spoken } = told.facts;
  if (told.code === WIRE_VERSION_CODE && typeof spoken === 'number') {
    throw new WireVersionMismatch(WIRE_VERSION, spoken);
  }
  const cause = new Error(`${told.code}: ${told.detail}`);
  return new InferenceUnavailable('Inference refused the request.', {}, { cause });
}
