import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SignOnSecrets } from '@sightline/core/accounts/identity-provider';
import {
  IdentityProviderUnavailable,
  SignOnDenied,
  SignOnExpired,
  SignOnInvalid,
} from '@sightline/core/accounts/sign-on-errors';
import { CLIENT, newKey, OpenIdServer } from '@sightline/test/support/servers/open-id-server';
import { type OpenIdOptions, OpenIdProvider } from './open-id-provider.ts';

const REDIRECT = 'https://faces.example.org/api/auth/oidc/callback';

let server: OpenIdServer;
let now: number;
let failures: string[];

beforeEach(async () => {
  server = await OpenIdServer.open({ redirectUris: [REDIRECT] });
  server.person = { sub: 'ada', email: 'ada@example.org', email_verified: true, name: 'Ada' };
  [now, failures] = [0, []];
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
});

const providerOf = (changes: Partial<OpenIdOptions> = {}) =>
  new OpenIdProvider({
    issuer: new URL(server.issuer),
    clientId: CLIENT.id,
    readSecret: () => [CLIENT.secret],
    redirectUri: REDIRECT,
    allowsSignUp: false,
    failed: (reason) => failures.push(reason),
    now: () => now,
    ...changes,
  });

const newSecrets = (): SignOnSecrets => ({
  state: randomUUID(),
  nonce: randomUUID(),
  verifier: `${randomUUID()}${randomUUID()}`,
});

/** Signs the person in, and returns the answer of the provider. */
async function answerOf(provider: OpenIdProvider, secrets: SignOnSecrets) {
  const { searchParams } = await server.visit(await provider.addressFor(secrets));
  return searchParams;
}

async function signIn(provider: OpenIdProvider) {
  const secrets = newSecrets();
  return provider.verify(await answerOf(provider, secrets), secrets);
}

const discoveries = () => server.requests.filter((path) => path.includes('.well-known')).length;

test('a person signs in, and the provider gives the profile', async () => {
  const { login, profile } = await signIn(providerOf());
  expect(login).toEqual({ issuer: `${server.issuer}/`, subject: 'ada' });
  expect(server.requests).not.toContain('/me');
  expect(await profile()).toEqual({
    email: 'ada@example.org',
    isEmailVerified: true,
    name: 'Ada',
  });
  expect(failures).toEqual([]);
});

test('the address asks for a code, with the hash of the verifier', async () => {
  const secrets = newSecrets();
  const address = new URL(await providerOf().addressFor(secrets));
  expect(Object.fromEntries(address.searchParams)).toMatchObject({
    client_id: CLIENT.id,
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'openid email profile',
    code_challenge_method: 'S256',
    state: secrets.state,
    nonce: secrets.nonce,
  });
  for (const secret of [secrets.verifier, CLIENT.secret]) {
    expect(address.href).not.toContain(encodeURIComponent(secret));
  }
});

test('a person signs in while the secret of the client is replaced', async () => {
  let secrets = ['the former secret'];
  const provider = providerOf({ readSecret: () => secrets });
  secrets = ['the former secret', CLIENT.secret];
  expect(await signIn(provider)).toMatchObject({ login: { subject: 'ada' } });
  expect(server.requests.filter((path) => path === '/token')).toHaveLength(2);
  expect(failures).toEqual([]);
});

test.each(['/.well-known/openid-configuration', '/token', '/jwks', '/me'])(
  'an answer of %s is refused at its limit',
  async (large) => {
    server.extend = (path) => (path === large ? { more: 'x'.repeat(1_048_576) } : {});
    const attempt = async () => (await signIn(providerOf())).profile();
    await expect(attempt()).rejects.toThrow(IdentityProviderUnavailable);
    expect(failures).toEqual([expect.stringContaining('ANSWER_TOO_LARGE')]);
  },
);

test('an answer below its limit is read', async () => {
  server.extend = () => ({ more: 'x'.repeat(1_000_000) });
  const { profile } = await signIn(providerOf());
  expect(await profile()).toMatchObject({ email: 'ada@example.org' });
});

test.each([
  ['the address', { email: 'ada@example.org' }, { email_verified: true }],
  ['the check', { email_verified: true }, { email: 'ada@example.org' }],
])('a token that has only %s is completed by the profile', async (_, inToken, inProfile) => {
  server.person = { sub: 'ada', ...inProfile };
  server.falsify = (claims) => ({ ...claims, ...inToken });
  const { profile } = await signIn(providerOf());
  expect(await profile()).toMatchObject({ email: 'ada@example.org', isEmailVerified: true });
});

test('the check of a token is not that of another address in the profile', async () => {
  server.person = { sub: 'ada', email: 'other@example.org', email_verified: false };
  server.falsify = (claims) => ({ ...claims, email_verified: true });
  const { profile } = await signIn(providerOf());
  expect(await profile()).toMatchObject({ email: 'other@example.org', isEmailVerified: false });
});

test('a profile without claims has no e-mail address', async () => {
  server.person = { sub: 'bob' };
  const { profile } = await signIn(providerOf());
  expect(await profile()).toEqual({ email: null, isEmailVerified: false, name: null });
});

describe('an answer is refused', () => {
  test('whose code was used', async () => {
    const [provider, secrets] = [providerOf(), newSecrets()];
    const answer = await answerOf(provider, secrets);
    await provider.verify(answer, secrets);
    await expect(provider.verify(answer, secrets)).rejects.toThrow(SignOnExpired);
  });

  test('to another verifier', async () => {
    const [provider, secrets] = [providerOf(), newSecrets()];
    const answer = await answerOf(provider, secrets);
    const { verifier } = newSecrets();
    await expect(provider.verify(answer, { ...secrets, verifier })).rejects.toThrow(SignOnExpired);
  });

  test('to another state, before the provider is asked', async () => {
    const [provider, secrets] = [providerOf(), newSecrets()];
    const answer = await answerOf(provider, secrets);
    const { state } = newSecrets();
    await expect(provider.verify(answer, { ...secrets, state })).rejects.toThrow(SignOnInvalid);
    expect(server.requests).not.toContain('/token');
  });

  test('to another nonce', async () => {
    const [provider, secrets] = [providerOf(), newSecrets()];
    const answer = await answerOf(provider, secrets);
    const { nonce } = newSecrets();
    await expect(provider.verify(answer, { ...secrets, nonce })).rejects.toThrow(SignOnInvalid);
  });

  test.each([
    ['audience', (claims: object) => ({ ...claims, aud: 'another client' })],
    ['issuer', (claims: object) => ({ ...claims, iss: 'https://other.example' })],
    ['time', (claims: object) => ({ ...claims, exp: 1 })],
    ['subject, which is too long', (claims: object) => ({ ...claims, sub: 'x'.repeat(256) })],
    ['subject, which is empty', (claims: object) => ({ ...claims, sub: '' })],
    ['subject, which has a NUL', (claims: object) => ({ ...claims, sub: 'a\u0000b' })],
    ['subject, which is half a character', (claims: object) => ({ ...claims, sub: 'a\ud800' })],
  ])('whose token has another %s', async (_, falsify) => {
    server.falsify = falsify;
    await expect(signIn(providerOf())).rejects.toThrow(SignOnInvalid);
  });

  test('whose token another key has signed', async () => {
    server.falsify = (claims) => claims;
    await signIn(providerOf());
    server.key = newKey().privateKey;
    await expect(signIn(providerOf())).rejects.toThrow(SignOnInvalid);
  });

  test.each([
    ['access_denied', SignOnDenied],
    ['temporarily_unavailable', IdentityProviderUnavailable],
  ])('that is the error %s', async (error, refusal) => {
    server.error = error;
    await expect(signIn(providerOf())).rejects.toThrow(refusal);
    expect(failures).toEqual([`OAUTH_AUTHORIZATION_RESPONSE_ERROR: ${error}`]);
  });

  test('if the provider knows another secret, which no error shows', async () => {
    const provider = providerOf({ readSecret: () => ['another secret'] });
    const error: unknown = await signIn(provider).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(IdentityProviderUnavailable);
    expect((error as Error).cause).toBeUndefined();
    expect(failures.join()).toContain('invalid_client');
    expect(failures.join()).not.toContain('another secret');
  });
});

test('the secret is sent in the body if the provider supports nothing else', async () => {
  await using other = await OpenIdServer.open({
    redirectUris: [REDIRECT],
    configuration: {
      clientAuthMethods: ['client_secret_post'],
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: [REDIRECT],
          token_endpoint_auth_method: 'client_secret_post',
        },
      ],
    },
  });
  other.person = { sub: 'ada' };
  const [provider, secrets] = [providerOf({ issuer: new URL(other.issuer) }), newSecrets()];
  const { searchParams } = await other.visit(await provider.addressFor(secrets));
  expect(await provider.verify(searchParams, secrets)).toMatchObject({ login: { subject: 'ada' } });
});

describe('the metadata of a provider', () => {
  test('is read at the first use, once for all that wait, and again after an hour', async () => {
    const provider = providerOf();
    expect(server.requests).toEqual([]);
    await Promise.all([signIn(provider), signIn(provider)]);
    expect(discoveries()).toBe(1);
    now = 3_599_999;
    await signIn(provider);
    expect(discoveries()).toBe(1);
    now = 3_600_000;
    await signIn(provider);
    expect(discoveries()).toBe(2);
  });

  test('is read again some time after a failure, and no earlier', async () => {
    const { issuer } = server;
    const provider = providerOf();
    await server[Symbol.asyncDispose]();
    const attempt = () => provider.addressFor(newSecrets());
    await expect(attempt()).rejects.toThrow(IdentityProviderUnavailable);
    expect(failures).toEqual([expect.stringContaining('ECONNREFUSED')]);
    const port = Number(new URL(issuer).port);
    server = await OpenIdServer.open({ redirectUris: [REDIRECT], port });
    await expect(attempt()).rejects.toThrow(IdentityProviderUnavailable);
    expect(server.requests).toEqual([]);
    now = 5_000;
    expect(await attempt()).toMatch(`${issuer}/auth?`);
  });

  test('stays valid while it cannot be read again', async () => {
    const provider = providerOf();
    const before = new URL(await provider.addressFor(newSecrets()));
    await server[Symbol.asyncDispose]();
    now = 3_600_000;
    const after = new URL(await provider.addressFor(newSecrets()));
    expect(after.origin + after.pathname).toBe(before.origin + before.pathname);
    expect(failures).toHaveLength(1);
    server = await OpenIdServer.open({ redirectUris: [REDIRECT] });
  });

  test.each([
    ['no authorization endpoint', { authorization_endpoint: undefined }],
    ['no token endpoint', { token_endpoint: undefined }],
    ['no keys', { jwks_uri: undefined }],
    ['a script', { authorization_endpoint: 'javascript:alert(1)' }],
    ['data', { authorization_endpoint: 'data:text/html,x' }],
    ['no URL', { authorization_endpoint: '/auth' }],
    ['no text', { token_endpoint: ['https://provider.example/token'] }],
    ['another machine without TLS', { userinfo_endpoint: 'http://provider.example/me' }],
  ])('that names %s counts as not read', async (_, changes) => {
    server.extend = (path) => (path.includes('.well-known') ? changes : {});
    const provider = providerOf();
    const attempt = () => provider.addressFor(newSecrets());
    await expect(attempt()).rejects.toThrow(IdentityProviderUnavailable);
    expect(failures).toEqual(['METADATA_INCOMPLETE']);
    server.extend = null;
    now = 5_000;
    expect(await attempt()).toMatch(`${server.issuer}/auth?`);
  });

  test('may name no place of profiles', async () => {
    server.extend = (path) =>
      path.includes('.well-known') ? { userinfo_endpoint: undefined } : {};
    const { profile } = await signIn(providerOf());
    expect(await profile()).toMatchObject({ email: null });
  });

  test('has to name the issuer that is configured', async () => {
    const issuer = new URL(`http://localhost:${new URL(server.issuer).port}`);
    const attempt = providerOf({ issuer }).addressFor(newSecrets());
    await expect(attempt).rejects.toThrow(IdentityProviderUnavailable);
  });
});
