import { randomUUID } from 'node:crypto';
import { type Client, createClient } from '@sightline/contracts/client';
import { ok } from './ok.ts';

export interface Credentials {
  readonly email: string;
  readonly password: string;
}

/** A person who is signed in, as a browser is. */
export interface Person {
  readonly client: Client;
  /** Replaces a password that an administrator has made. */
  replacePassword(): Promise<void>;
}

/** Headers of requests from a page of the service. */
const PAGE = { 'Sec-Fetch-Site': 'same-origin' };

/** @param service answers requests at its URL, which may be another one each time */
export async function signedIn(
  service: { readonly url: string },
  { email, password }: Credentials,
): Promise<Person> {
  const response = await fetch(`${service.url}/api/auth/sign-in/email`, {
    method: 'POST',
    headers: { ...PAGE, 'Content-Type': 'application/json' },
    body: JSON.stringify({ email, password }),
  });
  if (!response.ok) throw new Error(`The sign-in failed with ${response.status}.`);
  const cookie = response.headers.getSetCookie()[0]!.split(';')[0]!;
  const baseUrl = 'http://service';
  const client = createClient({
    baseUrl,
    apiKey: '',
    fetch: (input, init) => {
      const headers = new Headers(init?.headers);
      headers.delete('X-API-Key');
      for (const [name, value] of Object.entries({ ...PAGE, Cookie: cookie })) {
        headers.set(name, value);
      }
      return fetch((input as string).replace(baseUrl, service.url), { ...init, headers });
    },
  });
  return {
    client,
    replacePassword: async () => {
      const body = { current_password: password, new_password: randomUUID() };
      ok(await client.changePassword({ body }));
    },
  };
}
