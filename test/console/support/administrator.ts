import { randomUUID } from 'node:crypto';
import type { Client } from '@sightline/contracts/client';
import { ok } from '../../support/services/ok.ts';
import type { RunningService } from '../../support/services/running-service.ts';
import { signedIn } from '../../support/services/signed-in.ts';

/** An administrator of the installation with an environment of their own. */
export interface Administrator {
  readonly email: string;
  readonly password: string;
  readonly environment: number;
  /** A client with a session. */
  readonly client: Client;
}

/** Creates an administrator, whose password is their own. */
export async function createAdministrator(service: RunningService): Promise<Administrator> {
  const email = `administrator-${randomUUID()}@example.org`;
  const made = (await service.sightline('user', 'create', email, '--admin')).trim();
  const password = `own ${randomUUID()}`;
  const newcomer = await signedIn(service, { email, password: made });
  const body = { current_password: made, new_password: password };
  ok(await newcomer.client.changePassword({ body }));
  const { client } = await signedIn(service, { email, password });
  const { id } = ok(await client.createEnvironment({ body: { name: 'Office' } }));
  return { email, password, environment: id, client };
}
