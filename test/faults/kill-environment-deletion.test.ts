import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Client } from '@sightline/contracts/client';
import { environmentColumn, environmentTables } from '../support/fixtures/every-table.ts';
import { IS_SOAK } from '../support/gates/soak.ts';
import { ok } from '../support/services/ok.ts';
import type { RunningStandalone } from '../support/services/running-standalone.ts';
import { signedIn } from '../support/services/signed-in.ts';
import { type DyingLibrary, enroll, openDyingLibrary } from './dying-library.ts';
import { MANY_STARTS_MS } from '../support/waits/limits.ts';
import { waitUntil } from '../support/waits/wait-until.ts';

/** So many that the deletion takes many steps. */
const FACES = IS_SOAK ? 6_000 : 2_500;

/** Steps of the deletion of environment $1 in which the service is killed. The first condition that holds kills it. */
const DEATHS: readonly (readonly [name: string, condition: string])[] = [
  ['after the request', 'SELECT FROM environment_deletions WHERE environment_id = $1'],
  [
    'between the faces',
    'SELECT FROM environment_deletions WHERE environment_id = $1 AND done > 0 AND done < total',
  ],
  [
    'after the rows',
    `SELECT FROM environments WHERE id = $1
       AND NOT EXISTS (SELECT FROM source_images WHERE environment_id = $1)`,
  ],
];

test(
  'the deletion of an environment is finished by other processes after kills',
  async () => {
    await using library = await openDyingLibrary();
    await using services = new AsyncDisposableStack();
    let service = services.use(await library.start());
    const person = await enroll(service, 'Person');
    await library.addFaces(person, FACES);
    const admin = await signIn(service);
    const [home] = ok(await admin.listEnvironments({})).items;
    ok(await admin.createEnvironment({ body: { name: 'other' } }));

    ok(await admin.deleteEnvironment({ path: { id: home!.id } }));
    for (const [name, condition] of DEATHS) {
      await until(library, { condition, id: home!.id, name });
      const exit = once(service.process, 'exit');
      service.process.kill('SIGKILL');
      await exit;
      service = services.use(await library.start());
      expect((await service.client.getStats({})).status).toBe(401);
    }
    await until(library, {
      condition: 'SELECT WHERE NOT EXISTS (SELECT FROM environments WHERE id = $1)',
      id: home!.id,
      name: 'at the end',
    });

    for (const table of await environmentTables(library)) {
      const rows = await library.query(
        `SELECT FROM ${table} WHERE ${environmentColumn(table)} = $1 LIMIT 1`,
        [home!.id],
      );
      // Entries of the audit stay for their time.
      expect({ table, rows: rows.length }).toEqual({ table, rows: table === 'audit' ? 1 : 0 });
    }
    const files = await library.files();
    expect(files.filter((key) => key.startsWith(`${home!.id}/`))).toEqual([]);
    expect(await library.contradictions()).toEqual([]);
    expect(await library.inconsistencies()).toEqual([]);
    const again = await signIn(service);
    expect((await again.getEnvironment({ path: { id: home!.id } })).status).toBe(404);
    expect(ok(await again.getStats({}))).toMatchObject({ detections: 0, identities: 0 });
  },
  MANY_STARTS_MS,
);

interface Awaited {
  readonly condition: string;
  readonly id: number;
  readonly name: string;
}

async function until(library: DyingLibrary, { condition, id, name }: Awaited): Promise<void> {
  const look = () => library.query(condition, [id]);
  await waitUntil(`the deletion comes to the step ${name}`, look, {
    isDone: ({ length }) => length > 0,
    pauseMs: 2,
  });
}

/** The first administrator, with a session. */
async function signIn(service: RunningStandalone): Promise<Client> {
  const password = (await readFile(join(service.data, 'admin-password'), 'utf8')).trim();
  return (await signedIn(service, { email: 'admin@localhost', password })).client;
}
