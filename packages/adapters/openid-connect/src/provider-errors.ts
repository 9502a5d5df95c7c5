import {
  IdentityProviderUnavailable,
  SignOnDenied,
  SignOnExpired,
  SignOnInvalid,
} from '@sightline/core/accounts/sign-on-errors';
import { errorCode, errorCodes } from '@sightline/platform/errors/error-codes';
import {
  AuthorizationResponseError,
  ClientError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'openid-client';

/** The errors by which a provider says that it cannot answer now (RFC 6749, 4.1.2.1). */
const TEMPORARY = ['server_error', 'temporarily_unavailable'];

/** The codes of errors that say nothing about the sign-in: the provider did not answer, or not as a provider does. */
const NO_ANSWER = [
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
  'OAUTH_HTTP_REQUEST_FORBIDDEN',
  'OAUTH_MISSING_SERVER_METADATA',
  'OAUTH_INVALID_SERVER_METADATA',
];

/** Returns the error that callers get. It has no cause, because answers of providers contain tokens. */
export function errorOf(error: unknown): Error {
  if (error instanceof AuthorizationResponseError) {
    return TEMPORARY.includes(error.error) ? new IdentityProviderUnavailable() : new SignOnDenied();
  }
  if (error instanceof ResponseBodyError) {
    // The code is unknown, was used already, or is another client's. Other errors are those of the configuration.
    return error.error === 'invalid_grant'
      ? new SignOnExpired()
      : new IdentityProviderUnavailable();
  }
  const code = error instanceof ClientError ? error.code : undefined;
  return code === undefined || NO_ANSWER.includes(code)
    ? new IdentityProviderUnavailable()
    : new SignOnInvalid();
}

/** Whether the provider refused the secret of the client (RFC 6749, 5.2). It has not used the code then. */
export function isSecretRefused(outcome: PromiseSettledResult<unknown>): boolean {
  if (outcome.status === 'fulfilled') return false;
  const error: unknown = outcome.reason;
  if (error instanceof ResponseBodyError) return error.error === 'invalid_client';
  return (
    error instanceof WWWAuthenticateChallengeError &&
    error.cause.some(({ parameters }) => parameters.error === 'invalid_client')
  );
}

/** Returns codes that explain an error to the operator of the installation, such as that of a wrong secret. */
export function reasonOf(error: unknown): string {
  const given =
    error instanceof WWWAuthenticateChallengeError
      ? error.cause[0]?.parameters.error
      : (error as { readonly error?: unknown }).error;
  const isCode = typeof given === 'string' && /^\w{1,60}$/.test(given);
  return isCode ? `${errorCode(error)}: ${given}` : errorCodes(error);
}
