import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { API_CONTRACTS } from '@sightline/contracts/api-contracts';
import { isForEnvironment, type RouteContract } from '@sightline/contracts/define-contract';
import { createToken } from '@sightline/core/accounts/secret-token';
import { createMigratedDatabase } from '@sightline/test/support/servers/migrated-database';
import { type ApiServer, startApi } from '../testing/api-server.ts';
import { People } from '../testing/browser.ts';

/** The headers by which browsers say where a request comes from. */
const SITES = {
  'a page of the service': { 'Sec-Fetch-Site': 'same-origin' },
  'a page of the same site': { 'Sec-Fetch-Site': 'same-site' },
  'a page of another site': { 'Sec-Fetch-Site': 'cross-site' },
  'another origin': { Origin: 'https://attacker.example' },
  'a page without an origin': { Origin: 'null' },
  'no page': {},
} as const;
type Site = keyof typeof SITES;

const CREDENTIALS = ['none', 'cookie', 'key', 'both'] as const;
type Credentials = (typeof CREDENTIALS)[number];

type Outcome = 'passes' | 'unauthenticated' | 'cross_site';

const CONTRACTS: readonly RouteContract[] = Object.values(API_CONTRACTS);
/** Requests for environments, and those for the installation of the endpoints that have them. */
const FACES = CONTRACTS.flatMap((contract) => [
  { contract, isForInstallation: false },
  ...(contract.installation === undefined ? [] : [{ contract, isForInstallation: true }]),
]);

let api: ApiServer;
let key: string;
let account: { readonly id: string };
/** An administrator who is a member of no environment. */
let homeless: { readonly id: string };
let passwordHash: string;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  key = await api.createKey({ isAdmin: true });
  const people = await People.of(api);
  ({ account } = await people.settled({ isAdmin: true }));
  homeless = await people.newAccount({ isAdmin: true });
  passwordHash = (await api.stores.accounts.byId(account.id))!.passwordHash;
});
afterAll(() => api[Symbol.asyncDispose]());

/** A new session, because some routes end the one of the request. */
async function newCookie({ id: accountId }: { readonly id: string }): Promise<string> {
  const { token, hash } = createToken();
  const origin = { address: null, userAgent: null };
  const session = { ...origin, accountId, passwordHash, hash, requestId: 'test' };
  expect(await api.stores.sessions.open(session)).toBe(true);
  return `sightline_session=${token}`;
}

const hasCookie = (credentials: Credentials) => credentials === 'cookie' || credentials === 'both';
const hasKey = (credentials: Credentials) => credentials === 'key' || credentials === 'both';

/** The ruled outcome of a request. */
function ruled({ right, method }: RouteContract, credentials: Credentials, site: Site): Outcome {
  if (right === 'none') return 'passes';
  const isRead = site === 'no page' && method === 'GET';
  if (right === 'visitor') return ofVisitor(credentials, site, isRead);
  const bySession = site === 'a page of the service' || isRead ? 'passes' : 'cross_site';
  if (!isForEnvironment(right)) return credentials === 'cookie' ? bySession : 'unauthenticated';
  const outcomes = { none: 'unauthenticated', cookie: bySession, key: 'passes', both: 'passes' };
  return outcomes[credentials] as Outcome;
}

function ofVisitor(credentials: Credentials, site: Site, isRead: boolean): Outcome {
  const isWithoutPage = site === 'no page' && (isRead || !hasCookie(credentials));
  return site === 'a page of the service' || isWithoutPage ? 'passes' : 'cross_site';
}

/** No record has the ids of the path. */
function targetOf({ path, installation }: RouteContract, isForInstallation: boolean): string {
  const isInPath = isForInstallation && installation?.in === 'path';
  const target = path.replace(/\{\w+\}/g, isInPath ? `${installation.startsWith}x` : '999999');
  const isInQuery = isForInstallation && installation?.in === 'query';
  return isInQuery ? `${target}?${installation.name}=${installation.startsWith}` : target;
}

async function outcomeOf(
  { method, target, request: { body } }: RouteContract & { readonly target: string },
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> {
  // A body without members is not valid or asks for nothing.
  const isJson = body !== undefined && 'application/json' in body.maxBytes;
  const response = await fetch(api.base + target, {
    method,
    headers: { ...headers, ...(isJson && { 'Content-Type': 'application/json' }) },
    ...(isJson && { body: '{}' }),
  });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  if (response.status === 401) return 'unauthenticated';
  if (response.status === 409) expect(text).not.toContain('"no_environment"');
  return response.status === 403 && text.includes('"cross_site"') ? 'cross_site' : 'passes';
}

test.each(
  FACES.map(({ contract, isForInstallation }) => {
    const target = targetOf(contract, isForInstallation);
    return [contract.method, target, { ...contract, target, isForInstallation }] as const;
  }),
)('%s %s knows each caller as it is ruled', async (_method, _target, contract) => {
  const wrong: string[] = [];
  // No environment is needed for what is for the installation.
  const signedIn = contract.isForInstallation ? homeless : account;
  const cookie = await newCookie(signedIn);
  for (const credentials of CREDENTIALS) {
    for (const [site, headers] of Object.entries(SITES)) {
      const expected = ruled(contract, credentials, site as Site);
      const endsSession = contract.path === '/api/auth/sign-out' && expected === 'passes';
      const outcome = await outcomeOf(contract, {
        ...headers,
        ...(hasCookie(credentials) && {
          Cookie: endsSession ? await newCookie(signedIn) : cookie,
        }),
        ...(hasKey(credentials) && { 'X-API-Key': key }),
      });
      if (outcome !== expected) wrong.push(`${credentials} from ${site}: ${outcome}`);
    }
  }
  expect(wrong).toEqual([]);
});
