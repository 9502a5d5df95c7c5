import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { testInSoak } from '../support/gates/soak.ts';
import { describeWithMinio } from '../support/servers/minio.ts';
import { CLIENT, OpenIdServer } from '../support/servers/open-id-server.ts';
import { startPlatform } from '../support/services/running-platform.ts';
import type { RunningService } from '../support/services/running-service.ts';
import { startStandalone } from '../support/services/running-standalone.ts';

const PUBLIC = 'https://faces.example.org';

let provider: OpenIdServer;

beforeAll(async () => {
  provider = await OpenIdServer.open({ redirectUris: [`${PUBLIC}/api/auth/oidc/callback`] });
});
afterAll(() => provider[Symbol.asyncDispose]());

const settings = () => ({
  SIGHTLINE_PUBLIC_URL: PUBLIC,
  SIGHTLINE_OIDC_ISSUER: provider.issuer,
  SIGHTLINE_OIDC_CLIENT_ID: CLIENT.id,
  SIGHTLINE_OIDC_CLIENT_SECRET: CLIENT.secret,
  SIGHTLINE_OIDC_SIGN_UP: 'on',
});

/** Signs a new person on. Each request may be answered by another process. */
async function signOn(service: RunningService): Promise<void> {
  provider.person = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };
  const capabilities = await fetch(`${service.url}/api/capabilities`);
  expect(await capabilities.json()).toMatchObject({ sign_in: ['password', 'oidc'] });
  const start = await fetch(`${service.url}/api/auth/oidc`, {
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
  });
  expect(start.status).toBe(303);
  const [sealed = ''] = start.headers.getSetCookie();
  expect(sealed).toMatch(/^__Secure-sightline_oidc=.*; HttpOnly; SameSite=Lax; Secure$/);
  const back = await provider.visit(start.headers.get('location')!);
  expect(back.origin).toBe(PUBLIC);
  const arrival = await fetch(service.url + back.pathname + back.search, {
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'cross-site', Cookie: sealed.split(';')[0]! },
  });
  expect(arrival.status).toBe(303);
  expect(arrival.headers.get('location')).toBe('/console/');
  const [, session = ''] = arrival.headers.getSetCookie();
  const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie: session.split(';')[0]! };
  const me = await fetch(`${service.url}/api/account/me`, { headers });
  expect(await me.json()).toMatchObject({ email: 'ada@example.org', sign_in: ['oidc'] });
  const log = service.log.join('\n');
  const secrets = [CLIENT.secret, back.searchParams.get('code')!, session.split(/[=;]/)[1]!];
  for (const secret of secrets) expect(log).not.toContain(secret);
}

describe('a person signs on at a provider', () => {
  test('of one process', async () => {
    await using service = await startStandalone(settings());
    await signOn(service);
  });

  describeWithMinio('of several processes', () => {
    testInSoak('that begin and complete the sign-in', async () => {
      await using service = await startPlatform({ settings: settings() });
      await signOn(service);
    });
  });
});

test('a service with a provider that is unavailable starts, and without a public address it does not', async () => {
  const unavailable = { ...settings(), SIGHTLINE_OIDC_ISSUER: 'http://127.0.0.1:9' };
  await using service = await startStandalone(unavailable);
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const start = await fetch(`${service.url}/api/auth/oidc`, { headers });
  expect(start.status).toBe(503);
  expect(await start.json()).toMatchObject({ code: 'identity_provider_unavailable' });
  await expect(startStandalone({ ...settings(), SIGHTLINE_PUBLIC_URL: '' })).rejects.toThrow(
    'SIGHTLINE_OIDC_ISSUER needs SIGHTLINE_PUBLIC_URL',
  );
});
