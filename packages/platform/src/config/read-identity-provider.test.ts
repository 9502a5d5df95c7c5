import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { StartError } from '../lifecycle/start-error.ts';
import { parseConfig } from './parse-config.ts';
import { readIdentityProvider } from './read-identity-provider.ts';

const COMPLETE = {
  SIGHTLINE_PUBLIC_URL: 'https://faces.example.org/',
  SIGHTLINE_OIDC_ISSUER: 'https://login.example.org/realms/staff',
  SIGHTLINE_OIDC_CLIENT_ID: 'sightline',
  SIGHTLINE_OIDC_CLIENT_SECRET: 'hidden',
};

const without = (name: keyof typeof COMPLETE) =>
  Object.fromEntries(Object.entries(COMPLETE).filter(([each]) => each !== name));

const read = (environment: Record<string, string>) =>
  readIdentityProvider(parseConfig(environment, ['accounts']).config);

function refusal(environment: Record<string, string>): string {
  try {
    read(environment);
  } catch (error) {
    if (error instanceof StartError) return error.message;
    throw error;
  }
  throw new Error('accepted');
}

test('no provider is configured by default', () => {
  expect(read({ SIGHTLINE_PUBLIC_URL: COMPLETE.SIGHTLINE_PUBLIC_URL })).toBeNull();
});

test('a provider is configured', () => {
  const settings = read(COMPLETE)!;
  expect(settings).toMatchObject({
    clientId: 'sightline',
    publicOrigin: 'https://faces.example.org',
    allowsSignUp: false,
  });
  expect(settings.issuer.href).toBe(COMPLETE.SIGHTLINE_OIDC_ISSUER);
  expect(settings.readSecret()).toEqual(['hidden']);
  expect(read({ ...COMPLETE, SIGHTLINE_OIDC_SIGN_UP: 'on' })!.allowsSignUp).toBe(true);
});

test('the secret may be in a file, which is read again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'sightline-oidc-'));
  try {
    const file = join(folder, 'secret');
    writeFileSync(file, 'first\n');
    const others = without('SIGHTLINE_OIDC_CLIENT_SECRET');
    const settings = read({ ...others, SIGHTLINE_OIDC_CLIENT_SECRET_FILE: file })!;
    writeFileSync(file, 'second\n');
    expect(settings.readSecret()).toEqual(['second']);
    const both = refusal({ ...COMPLETE, SIGHTLINE_OIDC_CLIENT_SECRET_FILE: file });
    expect(both).toContain('are both set');
    expect(both).not.toContain('hidden');
  } finally {
    await rm(folder, { recursive: true });
  }
});

test.each([
  'SIGHTLINE_PUBLIC_URL',
  'SIGHTLINE_OIDC_CLIENT_ID',
  'SIGHTLINE_OIDC_CLIENT_SECRET',
] as const)('a provider needs %s', (name) => {
  const said = refusal(without(name));
  expect(said).toBe(`SIGHTLINE_OIDC_ISSUER needs ${name}, which is not set.`);
});

test('a client needs an issuer', () => {
  expect(refusal(without('SIGHTLINE_OIDC_ISSUER'))).toContain('SIGHTLINE_OIDC_ISSUER is not set');
});

test.each(['https://a.example', 'http://127.0.0.1:8081/realm', 'http://localhost', 'http://[::1]'])(
  'the issuer may be %s',
  (issuer) => {
    expect(read({ ...COMPLETE, SIGHTLINE_OIDC_ISSUER: issuer })).not.toBeNull();
  },
);

test.each([
  'http://login.example.org',
  'login.example.org',
  'ftp://127.0.0.1',
  'https://user:hidden@login.example.org',
  'https://login.example.org/?key=1',
  'https://login.example.org/#x',
])('the issuer %s is refused', (issuer) => {
  const said = refusal({ ...COMPLETE, SIGHTLINE_OIDC_ISSUER: issuer });
  expect(said).toContain('has to be an https address without a query and credentials');
  expect(said).not.toContain('hidden');
});
