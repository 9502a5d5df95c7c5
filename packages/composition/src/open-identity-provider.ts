import type { IdentityProvider } from '@sightline/core/accounts/identity-provider';
import { OpenIdProvider } from '@sightline/openid-connect/open-id-provider';
import { readIdentityProvider } from '@sightline/platform/config/read-identity-provider';
import type { Config } from '@sightline/platform/config/variable-groups';
import type { Logger } from '@sightline/platform/logging/logger';

/**
 * Opens the identity provider that is configured; null without one. The provider is asked at the first sign-in, so a
 * provider that is unavailable delays no start.
 *
 * @throws StartError if the configuration is incomplete
 */
export function openIdentityProvider({
  config,
  logger,
}: {
  readonly config: Config<'accounts'>;
  readonly logger: Logger;
}): IdentityProvider | null {
  const settings = readIdentityProvider(config);
  if (settings === null) return null;
  const { publicOrigin, ...options } = settings;
  return new OpenIdProvider({
    ...options,
    redirectUri: `${publicOrigin}/api/auth/oidc/callback`,
    failed: (reason) => logger.warn({ reason }, 'the identity provider refused a request'),
  });
}
