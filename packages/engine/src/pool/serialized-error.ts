import { DomainError, type ErrorFacts } from '@sightline/core/domain-error';
import { InferenceUnavailable, ModelLoadFailed } from '@sightline/core/models/model-errors';
import {
  ImageCorrupt,
  ImageTooLarge,
  UnsupportedFormat,
} from '@sightline/core/sources/image-errors';

/**
 * A thrown value as plain data, because structured cloning loses an error's class and own fields.
 */
export interface SerializedError {
  readonly name: string;
  readonly message: string;
  readonly stack: string | undefined;
  /** The code and facts of a domain error; null for other errors. */
  readonly domain: { readonly code: string; readonly facts: ErrorFacts } | null;
}

/** The domain errors that workers throw. */
const DOMAIN_ERRORS: Readonly<
  Record<string, new (message: string, facts: ErrorFacts) => DomainError>
> = {
  unsupported_format: UnsupportedFormat,
  image_too_large: ImageTooLarge,
  image_corrupt: ImageCorrupt,
  model_load_failed: ModelLoadFailed,
  inference_unavailable: InferenceUnavailable,
};

export function serializeError(thrown: unknown): SerializedError {
  if (!(thrown instanceof Error)) {
    return { name: 'Error', message: String(thrown), stack: undefined, domain: null };
  }
  const { name, message, stack } = thrown;
  const domain = thrown instanceof DomainError ? { code: thrown.code, facts: thrown.facts } : null;
  return { name, message, stack, domain };
}

/**
 * Restores the error. A domain error that workers throw ({@link DOMAIN_ERRORS}) regains its class, code, message and facts,
 * and any other error becomes a plain Error with its name. The stack is from the thread that threw the error.
 */
export function deserializeError(data: SerializedError): Error {
  const domainError = data.domain && DOMAIN_ERRORS[data.domain.code];
  const error = domainError
    ? new domainError(data.message, data.domain.facts)
    : Object.assign(new Error(data.message), { name: data.name });
  if (data.stack !== undefined) error.stack = data.stack;
  return error;
}
