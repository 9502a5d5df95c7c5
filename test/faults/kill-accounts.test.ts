import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { holderOf } from '@sightline/platform/data-folder/data-folder';
import { testInSoak } from '../support/gates/soak.ts';
import { ok } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { type DyingLibrary, openDyingLibrary } from './dying-library.ts';
import { MANY_STARTS_MS } from '../support/waits/limits.ts';
import { waitUntil } from '../support/waits/wait-until.ts';

const EMAIL = 'admin@localhost';
/** The number of keys that are created at once, so that a kill breaks some of the requests off. */
const KEYS = 40;

type Condition = (library: DyingLibrary) => boolean | Promise<boolean>;

const isFile =
  (name: string): Condition =>
  ({ data }) =>
    existsSync(join(data, name));

const isRow =
  (query: string): Condition =>
  async (library) =>
    (await library.query(query)).length > 0;

test(
  'a first start that is killed at each step ends with one administrator and one key',
  async () => {
    await using library = await openDyingLibrary();
    let pid: number | undefined;
    for (const [step, condition] of Object.entries({
      'the key is written': isFile('api-key'),
      'the key is stored': isRow('SELECT FROM keys'),
      'the password is written': isFile('admin-password'),
      'the account is stored': isRow('SELECT FROM accounts'),
    })) {
      // The service may already listen when it is killed after its last step.
      const ended = library.start().then(
        (service) => service.kill(),
        () => undefined,
      );
      const last = pid;
      const isNext = async () => {
        pid = await holderOf(library.data);
        return pid !== undefined && pid !== last;
      };
      await until(library, { step, condition: isNext });
      await until(library, { step, condition });
      process.kill(pid!, 'SIGKILL');
      await ended;
    }
    await using service = await library.start();
    expect(await library.query('SELECT is_admin FROM accounts')).toEqual([{ is_admin: true }]);
    expect(await library.query('SELECT label FROM keys')).toEqual([{ label: 'first key' }]);
    expect(ok(await service.client.getStats({}))).toMatchObject({ detections: 0 });
    const { client } = await signIn(service, await firstPassword(service));
    expect(ok(await client.listEnvironments({})).items).toMatchObject([
      { name: 'default', role: 'owner' },
    ]);
    expect(await library.contradictions()).toEqual([]);
  },
  MANY_STARTS_MS,
);

test(
  'keys whose creation a kill breaks off are valid and audited, or not there',
  async () => {
    await using library = await openDyingLibrary();
    await using services = new AsyncDisposableStack();
    let service = services.use(await library.start());
    const password = await firstPassword(service);
    const { client } = await signIn(service, password);
    const [home] = ok(await client.listEnvironments({})).items;
    const answered: string[] = [];
    const create = async (label: string) => {
      const body = { environment_id: home!.id, label, type: 'read' } as const;
      answered.push(ok(await client.createKey({ body })).key);
    };
    const creations = Array.from({ length: KEYS }, (_, n) => create(`key ${n}`));
    const ended = Promise.allSettled(creations);
    const condition = isRow("SELECT FROM keys WHERE label <> 'first key'");
    await until(library, { step: 'the first key is stored', condition });
    await kill(service);
    await ended;
    expect(answered.length).toBeLessThan(KEYS);

    service = services.use(await library.start());
    for (const key of answered) {
      expect((await service.clientWith(key).getStats({})).status).toBe(200);
    }
    const { client: again } = await signIn(service, password);
    const kept = ok(await again.listKeys({})).items.filter(({ label }) => label !== 'first key');
    expect(kept.length).toBeGreaterThanOrEqual(answered.length);
    const audited = await library.query<{ id: string }>(
      `SELECT unnest(entity_ids) AS id FROM audit
       WHERE entity_type = 'key' AND action = 'create' AND user_id IS NOT NULL`,
    );
    expect(audited.map(({ id }) => Number(id)).sort()).toEqual(kept.map(({ id }) => id).sort());
    for (const { id } of kept) {
      expect((await again.deleteKey({ path: { id } })).status).toBe(204);
    }
  },
  MANY_STARTS_MS,
);

testInSoak(
  'a password whose change is broken off is the old one or the new one, with its sessions',
  async () => {
    await using library = await openDyingLibrary();
    await using services = new AsyncDisposableStack();
    let service = services.use(await library.start());
    let password = await firstPassword(service);
    /** The service after each of its restarts. */
    const current = {
      get url() {
        return service.url;
      },
    };
    const hash = async () =>
      (await library.query<{ hash: string }>('SELECT password_hash AS hash FROM accounts'))[0]!
        .hash;
    for (const [step, isChanged] of [
      ['the new password is being hashed', false],
      ['the new password is stored', true],
    ] as const) {
      const { client } = await signIn(current, password);
      const { client: other } = await signIn(current, password);
      const before = await hash();
      const next = `a password, because ${step}`;
      const body = { current_password: password, new_password: next };
      const answer = client.changePassword({ body }).catch(() => 'broken off');
      const condition = isChanged ? async () => (await hash()) !== before : () => sleep(50, true);
      await until(library, { step, condition });
      await kill(service);
      await answer;

      service = services.use(await library.start());
      const hasNew = (await hash()) !== before;
      const [right, wrong] = hasNew ? [next, password] : [password, next];
      await expect(signIn(current, wrong)).rejects.toThrow('401');
      expect((await client.getSession({})).status).toBe(200);
      expect((await other.getSession({})).status).toBe(hasNew ? 401 : 200);
      password = right;
      const audited = await library.query("SELECT FROM audit WHERE action = 'change_password'");
      expect({ step, audited: audited.length > 0 }).toEqual({ step, audited: hasNew });
    }
  },
);

async function until(
  library: DyingLibrary,
  { step, condition }: { readonly step: string; readonly condition: Condition },
): Promise<void> {
  await waitUntil(`the service comes to the step: ${step}`, () => condition(library), {
    pauseMs: 1,
  });
}

async function kill(service: RunningStandalone): Promise<void> {
  const exit = once(service.process, 'exit');
  service.process.kill('SIGKILL');
  await exit;
}

async function firstPassword({ data }: RunningStandalone): Promise<string> {
  return (await readFile(join(data, 'admin-password'), 'utf8')).trim();
}

function signIn(service: { readonly url: string }, password: string) {
  return signedIn(service, { email: EMAIL, password });
}
