import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isForEnvironment } from '@sightline/contracts/define-contract';
import { drawPhoto } from '../../support/fixtures/draw-photo.ts';
import { ok } from '../../support/services/ok.ts';
import {
  type RunningStandalone,
  startStandalone,
} from '../../support/services/running-standalone.ts';
import { type Person, signedIn } from '../../support/services/signed-in.ts';
import { IS_SOAK } from '../../support/gates/soak.ts';
import { arbitraryRequest, type Callers, rightRequest } from './arbitrary-request.ts';
import { PASSWORDS } from './arbitrary-value.ts';
import {
  credentialsOf,
  expectPromised,
  isJson,
  isSuccess,
  isWellFormed,
  send,
  show,
} from './ask.ts';
import type { Caller, FuzzRequest, SessionName } from './fuzz-request.ts';
import { hostileHeader } from './hostile-values.ts';
import type { Answer } from './judge-answer.ts';
import { KnownValues } from './known-values.ts';
import type { OpenApi } from './openapi-document.ts';
import { type Operation, operationsOf } from './openapi-operations.ts';
import { FUZZING_MS } from '../../support/waits/limits.ts';

const RUNS = IS_SOAK ? 5_000 : 50;
const SEED = 20_260_101;

const CALLERS: Callers = {
  right: fc.constantFrom<Caller>('session', 'session', 'session', null),
  any: fc.oneof(
    { weight: 12, arbitrary: fc.constantFrom<Caller>('session', 'person') },
    { weight: 1, arbitrary: fc.constant<Caller>('admin') },
    { weight: 1, arbitrary: fc.constant<Caller>(null) },
    { weight: 1, arbitrary: hostileHeader.map((key) => ({ key })) },
    { weight: 1, arbitrary: hostileHeader.map((session) => ({ session })) },
  ),
};

describe('every operation on accounts, fuzzed', () => {
  let service: RunningStandalone;
  let operations: Operation[];
  let image: Uint8Array<ArrayBuffer>;
  /** An administrator by whom no request is sent. Their environments are those of no other person. */
  let root: Person & { readonly id: string; readonly home: number; readonly lobby: number };
  let known: KnownValues;
  /** The sessions of people who are replaced when their session has ended. */
  const sessions = new Map<SessionName, string>();
  /** Everything that only its receiver may see, and no log. */
  const secrets = new Set<string>(PASSWORDS);

  beforeAll(async () => {
    service = await startStandalone({
      SIGHTLINE_LOG_LEVEL: 'info',
      SIGHTLINE_TRUSTED_PROXIES: '127.0.0.1',
    });
    const document = await fetch(`${service.url}/openapi.json`);
    operations = operationsOf((await document.json()) as OpenApi).filter(
      ({ right }) => right !== 'none' && !isForEnvironment(right),
    );
    image = new Uint8Array(await (await drawPhoto({})).arrayBuffer());
    const password = (await readFile(join(service.data, 'admin-password'), 'utf8')).trim();
    const person = await signedIn(service, { email: 'admin@localhost', password });
    const { id } = ok(await person.client.getProfile({}));
    const [home] = ok(await person.client.listEnvironments({})).items;
    const lobby = ok(await person.client.createEnvironment({ body: { name: 'lobby' } }));
    root = { ...person, id, home: home!.id, lobby: lobby.id };
    secrets.add(password);
    await begin();
  });

  afterAll(async () => {
    await service[Symbol.asyncDispose]();
  });

  /** Forgets all values, and creates an environment without owners, and the two people. */
  async function begin(): Promise<void> {
    known = new KnownValues();
    // The two people are members of it, and may leave it.
    learn('/api/account/environments', { id: root.lobby });
    const owner = await newcomer();
    for (const name of ['session', 'person'] as const) await renew(name);
    ok(await root.client.changeUser({ path: { id: owner.id }, body: { disabled: true } }));
  }

  async function renew(name: SessionName): Promise<void> {
    const { id, token } = await newcomer();
    const body = { is_admin: name === 'session' };
    ok(await root.client.changeUser({ path: { id }, body }));
    sessions.set(name, token);
  }

  /** A person who accepts an invitation and has two environments with a key, an invitation and a member. */
  async function newcomer(): Promise<{ readonly id: string; readonly token: string }> {
    const email = `${randomUUID()}@example.org`;
    const path = { id: root.lobby };
    const body = { email, role: 'viewer' } as const;
    const { url } = ok(await root.client.createInvitation({ path, body }));
    const credentials = { name: 'Ada', password: PASSWORDS[0] };
    const accepted = await fetch(`${service.url}/api/auth/invitations/accept`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': anyAddress() },
      body: JSON.stringify({ token: url.split('#')[1], ...credentials }),
    });
    const token = accepted.headers.getSetCookie()[0]!.split(';')[0]!.split('=')[1]!;
    const { user } = (await accepted.json()) as { readonly user: { readonly id: string } };
    secrets.add(token);
    const call = async (path: string, body?: object) => {
      const response = await fetch(service.url + path, {
        method: body === undefined ? 'GET' : 'POST',
        headers: {
          'content-type': 'application/json',
          ...credentialsOf('person', { person: token }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      const answer = (await response.json()) as { readonly id: number };
      expect({ path, isDone: response.ok }).toEqual({ path, isDone: true });
      learn(path, answer);
      return answer;
    };
    for (let n = 0; n < 2; n++) {
      const { id } = await call('/api/account/environments', { name: `home ${n}` });
      await call('/api/account/keys', { environment_id: id, label: 'key', type: 'read' });
      const invitation = { email: `${randomUUID()}@example.org`, role: 'editor' };
      await call(`/api/account/environments/${id}/invitations`, invitation);
    }
    await call('/api/account/sessions');
    learn('/api/account/users', user);
    return { id: user.id, token };
  }

  /** Keeps the values of an answer, and its secrets. */
  function learn(path: string, answer: unknown): void {
    known.learn(path, answer);
    const { key, password, url } = answer as Readonly<Record<string, unknown>>;
    for (const secret of [key, password, String(url).split('#')[1]]) {
      if (typeof secret === 'string') secrets.add(secret);
    }
  }

  async function ask(operation: Operation, request: FuzzRequest): Promise<Answer> {
    const sent = (): Promise<Answer> => {
      const given = { admin: service.apiKey, ...Object.fromEntries(sessions) };
      const credentials = {
        ...credentialsOf(request.caller, given),
        // Failed sign-ins are counted per address.
        'x-forwarded-for': anyAddress(),
      };
      return send(service.url, operation, { request, credentials });
    };
    let answer = await sent();
    const { caller } = request;
    if (answer.status === 401 && (caller === 'session' || caller === 'person')) {
      // An earlier request may have ended the session.
      await renew(caller);
      answer = await sent();
    }
    expectPromised(operation, answer, sessions.values());
    const shown = show(answer);
    const refusal = refusalOf(operation, request);
    const isRight = refusal === undefined || answer.status === refusal;
    expect({ isRight, refusal, shown }).toEqual({ isRight: true, refusal, shown });
    for (const cookie of answer.headers.getSetCookie()) {
      const token = cookie.split(';')[0]!.split('=')[1]!;
      if (token !== '') secrets.add(token);
    }
    if (isSuccess(answer.status) && isJson(answer)) learn(operation.path, JSON.parse(shown));
    return answer;
  }

  const material = () => ({ images: [image], archives: [image], imageUrls: [service.url], known });

  test(
    'answers are as promised and never a defect',
    async () => {
      const steps = operations.map((operation) =>
        arbitraryRequest(operation, material(), CALLERS).map((request) => ({
          operation,
          request,
          [fc.toStringMethod]: () => `${operation.id} ${fc.stringify(request)}`,
        })),
      );
      const property = fc.asyncProperty(fc.oneof(...steps), async ({ operation, request }) => {
        if (!request.target.includes(root.id)) await ask(operation, request);
      });
      await fc.assert(property, { numRuns: RUNS, seed: SEED, endOnFailure: true });
    },
    FUZZING_MS,
  );

  test(
    'every operation can be reached',
    async () => {
      expect(operations.length).toBeGreaterThan(20);
      // The others need an identity provider, and are reached by the tests of sign-on.
      for (const operation of operations.filter(({ path }) => !path.includes('/oidc'))) {
        await begin();
        const requests = fc
          .sample(rightRequest(operation, material(), CALLERS), { numRuns: 200, seed: SEED })
          .filter(({ target }) => !target.includes(root.id));
        const statuses: number[] = [];
        while (requests.length > 0 && !statuses.some(isSuccess)) {
          statuses.push((await ask(operation, requests.pop()!)).status);
        }
        const { id } = operation;
        const reached = statuses.some(isSuccess);
        expect({ id, statuses, reached }).toEqual({ id, statuses, reached: true });
      }
    },
    FUZZING_MS,
  );

  test('a person by whom no request was sent has what they had', async () => {
    const { client, home: id } = root;
    const environment = ok(await client.getEnvironment({ path: { id } }));
    expect(environment).toMatchObject({ name: 'default', role: 'owner' });
    expect(ok(await client.listMembers({ path: { id } })).items).toMatchObject([
      { account_id: root.id, role: 'owner' },
    ]);
    const keys = ok(await client.listKeys({})).items.filter((key) => key.environment_id === id);
    expect(keys).toMatchObject([{ label: 'first key' }]);
    expect((await service.client.getStats({})).status).toBe(200);
    expect(await service.inconsistencies()).toEqual([]);
  });

  test('the log has no secrets and no defects', () => {
    const log = service.log.join('\n');
    for (const secret of secrets) expect(log).not.toContain(secret);
    const defects = service.log.filter(
      (line) => (JSON.parse(line) as { level: unknown }).level === 'error',
    );
    expect(defects).toEqual([]);
  });
});

/** The status for a caller without the required right; undefined if the caller has it, or needs none. */
function refusalOf({ right }: Operation, { caller, target }: FuzzRequest): 401 | 403 | undefined {
  if (right === 'visitor' || !isWellFormed(target)) return undefined;
  if (caller !== 'session' && caller !== 'person') return 401;
  return right === 'administrator' && caller === 'person' ? 403 : undefined;
}

function anyAddress(): string {
  const part = () => Math.floor(Math.random() * 65_536).toString(16);
  return `2001:db8:${part()}:${part()}::1`;
}
