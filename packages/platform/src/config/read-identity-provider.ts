import { StartError } from '../lifecycle/start-error.ts';
import type { ReadValues } from '../resilience/credential.ts';
import { secretReader } from './read-secret.ts';
import { type Config, VARIABLES } from './variable-groups.ts';

export interface IdentityProviderSettings {
  readonly issuer: URL;
  readonly clientId: string;
  readonly readSecret: ReadValues;
  /** The origin under which browsers reach the API. */
  readonly publicOrigin: string;
  readonly allowsSignUp: boolean;
}

/**
 * Reads the OpenID provider by which people sign in; null if none is configured.
 *
 * @throws StartError if a variable is missing, or if the secret cannot be read
 */
export function readIdentityProvider(config: Config<'accounts'>): IdentityProviderSettings | null {
  const { oidcIssuer, oidcClientId: clientId, publicUrl, oidcSignUp } = config;
  const variables = { given: 'oidcClientSecret', file: 'oidcClientSecretFile' } as const;
  const readSecret = secretReader(config, variables, (secret) => secret);
  const { name } = VARIABLES.oidcIssuer;
  if (oidcIssuer === null) {
    if (clientId === null && readSecret === null) return null;
    throw new StartError(`A client of an OpenID provider is configured, but ${name} is not set.`);
  }
  const missing = (what: 'publicUrl' | 'oidcClientId' | 'oidcClientSecret'): StartError =>
    new StartError(`${name} needs ${VARIABLES[what].name}, which is not set.`);
  if (publicUrl === null) throw missing('publicUrl');
  if (clientId === null) throw missing('oidcClientId');
  if (readSecret === null) throw missing('oidcClientSecret');
  return {
    issuer: new URL(oidcIssuer),
    clientId,
    readSecret,
    publicOrigin: new URL(publicUrl).origin,
    allowsSignUp: oidcSignUp === 'on',
  };
}
