import { DomainError, type ErrorFacts } from '@sightline/core/domain-error';
import { InferenceUnavailable, ModelLoadFailed } from '@sightline/core/models/model-errors';
import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';

/** A thrown value as data: structured cloning alone loses an error's class and own fields. */
export interface ThrownData {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** Only of an error of the domain. */
  readonly domain: { readonly code: string; readonly facts: ErrorFacts } | null;
}

/** The errors that code inside a worker may throw on purpose, by code. */
const DOMAIN_ERRORS: Readonly<
  Record<string, new (message: string, facts: ErrorFacts) => DomainError>
> = {
  unsupported_format: UnsupportedFormat,
  image_too_large: ImageTooLarge,
  image_corrupt: ImageCorrupt,
  model_load_failed: ModelLoadFailed,
  inference_unavailable: InferenceUnavailable,
};

/** Describes anything that was thrown, for the way across a thread boundary. */
export function describeThrown(thrown: unknown): ThrownData {
  if (!(thrown instanceof Error)) {
    return { name: 'Error', message: String(thrown), stack: undefined, domain: null };
  }
  const { name, message, stack } = thrown;
  const domain = thrown instanceof DomainError ? { code: thrown.code, facts: thrown.facts } : null;
  return { name, message, stack, domain };
}

/**
 * Makes the error again on this side: one of the domain with its class, code, message and facts,
 * any other as a plain Error with its name. The stack is the one of the thread that threw.
 */
export function reviveThrown(data: ThrownData): Error {
  const domainError = data.domain && DOMAIN_ERRORS[data.domain.code];
  const error = domainError
    ? new domainError(data.message, data.domain.facts)
    : Object.assign(new Error(data.message), { name: data.name });
  if (data.stack !== undefined) error.stack = data.stack;
  return error;
}
