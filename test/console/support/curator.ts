import { randomUUID } from 'node:crypto';
import type { Client } from '@sightline/contracts/client';
import type { Page } from 'playwright-core';
import { ok } from '../../support/services/ok.ts';
import type { RunningService } from '../../support/services/running-service.ts';
import { signedIn } from '../../support/services/signed-in.ts';

/** A person with an environment of their own. */
export interface Curator {
  readonly email: string;
  readonly password: string;
  readonly environment: number;
  /** A client with a key of the environment. */
  readonly client: Client;
}

/**
 * Creates an account whose password is its own, with an environment.
 *
 * @param options of the command that creates the account
 */
export async function createCurator(
  service: RunningService,
  ...options: readonly string[]
): Promise<Curator> {
  const email = `curator-${randomUUID()}@example.org`;
  const made = (await service.sightline('user', 'create', email, ...options)).trim();
  const password = `own ${randomUUID()}`;
  const newcomer = await signedIn(service, { email, password: made });
  ok(
    await newcomer.client.changePassword({
      body: { current_password: made, new_password: password },
    }),
  );
  const { client } = await signedIn(service, { email, password });
  const { id } = ok(await client.createEnvironment({ body: { name: 'Library' } }));
  const body = { label: 'test', type: 'full', environment_id: id } as const;
  const { key } = ok(await client.createKey({ body }));
  return { email, password, environment: id, client: service.clientWith(key) };
}

/** Signs in on the page that the console shows to visitors, and waits for the first page. */
export async function signIn(page: Page, { email, password }: Pick<Curator, 'email' | 'password'>) {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByLabel('Password').press('Enter');
  await page.getByRole('navigation', { name: 'Pages' }).waitFor();
}
