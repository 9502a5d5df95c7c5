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

let api: ApiServer;
let key: string;
let account: { readonly id: string };
let passwordHash: string;

beforeAll(async () => {
  api = await startApi(createMigratedDatabase);
  key = await api.createKey({ isAdmin: true });
  const people = await People.of(api);
  ({ account } = await people.settled({ isAdmin: true }));
  passwordHash = (await api.stores.accounts.byId(account.id))!.passwordHash;
});
afterAll(() => api[Symbol.asyncDispose]());

/** A new session, because some routes end the one of the request. */
async function newCookie(): Promise<string> {
  const { token, hash } = createToken();
  const origin = { address: null, userAgent: null };
  const session = { ...origin, accountId: account.id, passwordHash, hash, requestId: 'test' };
  expect(await api.stores.sessions.open(session)).toBe(true);
  return `sightline_session=${token}`;
}

const hasCookie = (credentials: Credentials) => credentials === 'cookie' || credentials === 'both';
const hasKey = (credentials: Credentials) => credentials === 'key' || credentials === 'both';

/** The ruled outcome of a request. */
function ruled({ right, method }: RouteContract, credentials: Credentials, site: Site): Outcome {
  if (right === 'none') return 'passes';
  if (right === 'visitor') return ofVisitor(credentials, site);
  const isRead = site === 'no page' && method === 'GET';
  const bySession = site === 'a page of the service' || isRead ? 'passes' : 'cross_site';
  if (!isForEnvironment(right)) return credentials === 'cookie' ? bySession : 'unauthenticated';
  const outcomes = { none: 'unauthenticated', cookie: bySession, key: 'passes', both: 'passes' };
  return outcomes[credentials] as Outcome;
}

function ofVisitor(credentials: Credentials, site: Site): Outcome {
  const isWithoutPage = site === 'no page' && !hasCookie(credentials);
  return site === 'a page of the service' || isWithoutPage ? 'passes' : 'cross_site';
}

async function outcomeOf(
  { method, path, request: { body } }: RouteContract,
  headers: Readonly<Record<string, string>>,
): Promise<Outcome> {
  // No record has these ids, and a body without members is not valid or asks for nothing.
  const target = path.replace(/\{\w+\}/g, '999999');
  const isJson = body !== undefined && 'application/json' in body.maxBytes;
  const response = await fetch(api.base + target, {
    method,
    headers: { ...headers, ...(isJson && { 'Content-Type': 'application/json' }) },
    ...(isJson && { body: '{}' }),
  });
  const text = await response.text();
  expect(response.status).toBeLessThan(500);
  if (response.status === 401) return 'unauthenticated';
  return response.status === 403 && text.includes('"cross_site"') ? 'cross_site' : 'passes';
}

test.each(CONTRACTS.map((contract) => [contract.method, contract.path, contract] as const))(
  '%s %s knows each caller as it is ruled',
  async (_method, _path, contract) => {
    const wrong: string[] = [];
    const cookie = await newCookie();
    for (const credentials of CREDENTIALS) {
      for (const [site, headers] of Object.entries(SITES)) {
        const expected = ruled(contract, credentials, site as Site);
        const endsSession = contract.path === '/api/auth/sign-out' && expected === 'passes';
        const outcome = await outcomeOf(contract, {
          ...headers,
          ...(hasCookie(credentials) && { Cookie: endsSession ? await newCookie() : cookie }),
          ...(hasKey(credentials) && { 'X-API-Key': key }),
        });
        if (outcome !== expected) wrong.push(`${credentials} from ${site}: ${outcome}`);
      }
    }
    expect(wrong).toEqual([]);
  },
);
