import type { Account } from '@sightline/core/accounts/account';
import { SERVICE } from '@sightline/core/store/actor';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { TEST_COST } from '@sightline/core/accounts/testing/test-cost';
import type { ApiServer } from './api-server.ts';

/** The password of all accounts of tests. */
export const PASSWORD = 'correct horse battery';

export interface Call {
  readonly method?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  // oxlint-disable-next-line typescript/no-explicit-any -- each test knows its answer
  readonly body: any;
}

/** A browser that keeps the cookie of its session, with pages of the service. */
export class Browser {
  readonly #base: string;
  cookie: string | null = null;

  constructor(base: string) {
    this.#base = base;
  }

  async call(path: string, { method, body, headers = {} }: Call = {}): Promise<Reply> {
    const response = await fetch(this.#base + path, {
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        'Sec-Fetch-Site': 'same-origin',
        ...(this.cookie !== null && { Cookie: this.cookie }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const [cookie] = response.headers.getSetCookie();
    if (cookie !== undefined) this.cookie = cookie.split(';')[0]!;
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : (JSON.parse(text) as unknown),
    };
  }

  signIn(email: string, password = PASSWORD): Promise<Reply> {
    return this.call('/api/auth/sign-in/email', { body: { email, password } });
  }
}

export interface Person {
  readonly account: Account;
  readonly browser: Browser;
}

/** Creates people with accounts of an API. */
export class People {
  readonly #api: Pick<ApiServer, 'base' | 'stores'>;
  readonly #passwordHash: string;
  #created = 0;

  private constructor(api: Pick<ApiServer, 'base' | 'stores'>, passwordHash: string) {
    this.#api = api;
    this.#passwordHash = passwordHash;
  }

  /** Hashes the password once, because each hash takes a while. */
  static async of(api: Pick<ApiServer, 'base' | 'stores'>): Promise<People> {
    return new People(api, await new PasswordHasher(TEST_COST).hash(PASSWORD, 'test'));
  }

  browser(): Browser {
    return new Browser(this.#api.base);
  }

  newAccount(changes: Partial<Account> = {}): Promise<Account> {
    const email = `person${this.#created++}@example.org`;
    const passwordHash = this.#passwordHash;
    const given = {
      email,
      name: 'Ada',
      isAdmin: false,
      passwordBy: 'owner',
      passwordHash,
    } as const;
    return this.#api.stores.accounts.insert({ ...given, ...changes }, SERVICE);
  }

  async signedIn(changes: Partial<Account> = {}): Promise<Person> {
    const account = await this.newAccount(changes);
    const browser = this.browser();
    const { status } = await browser.signIn(account.email);
    if (status !== 200) throw new Error(`The sign-in was answered with ${status}.`);
    return { account, browser };
  }

  /** A person with an environment. */
  async settled(
    changes: Partial<Account> = {},
  ): Promise<Person & { readonly environment: number }> {
    const person = await this.signedIn(changes);
    const made = await person.browser.call('/api/account/environments', { body: { name: 'home' } });
    return { ...person, environment: (made.body as { id: number }).id };
  }
}
