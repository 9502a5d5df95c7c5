import { relative } from 'node:path';
import { FIRST_ACCESS, requireEmail } from '@sightline/composition/open-first-account';
import { ensureFirstAccount } from '@sightline/core/accounts/first-account';
import { PasswordHasher } from '@sightline/core/accounts/password-hasher';
import { ensureFirstKey } from '@sightline/core/api-keys/first-key';
import { withExclusiveLease } from '@sightline/core/leases/with-exclusive-lease';
import type { GivenAdministrator } from '@sightline/platform/config/read-administrator';
import type { DataFolder } from '@sightline/platform/data-folder/data-folder';
import { writeDurably } from '@sightline/platform/data-folder/write-durably';
import type { Role } from '@sightline/platform/lifecycle/role';
import type { PostgresStores } from '@sightline/postgres/open-postgres';

export interface FirstAccessDeps {
  readonly stores: Pick<PostgresStores, 'accounts' | 'keys' | 'leases'>;
  readonly folder: Pick<DataFolder, 'apiKey' | 'adminPassword'>;
  /** Null for an administrator whose password is made. */
  readonly given: GivenAdministrator | null;
  /** The URL of the API; called after the API listens. */
  readonly url: () => string;
  /** Whether the API serves the console. */
  readonly hasConsole: boolean;
}

/**
 * The first key and the first administrator of a new installation. What is made is written to files that only their
 * owner can read. As a role, it prints what was created.
 */
export class FirstAccess implements Role {
  readonly name = 'first access';
  readonly #deps: FirstAccessDeps;
  #key: string | null = null;
  #administrator: { readonly email: string; readonly password: string | null } | null = null;

  constructor(deps: FirstAccessDeps) {
    this.#deps = deps;
  }

  /**
   * Creates the key and the administrator unless the installation has or had them. Processes that start at the same time
   * take turns.
   *
   * @throws StoreUnavailable; the errors of the file system; the signal's reason on abort
   */
  async create(signal: AbortSignal): Promise<void> {
    const { stores, folder, given } = this.#deps;
    const { accounts, keys, leases } = stores;
    if (given !== null) requireEmail(given);
    // Usually both are there, so that a start does not wait for the lease of a process that crashed in its first start.
    if ((await accounts.areThere(signal)) && (await keys.list()).length > 0) return;
    const write = (file: string) => (text: string) => writeDurably(file, `${text}\n`);
    await withExclusiveLease({ ...FIRST_ACCESS, leases }, signal, async () => {
      this.#key = await ensureFirstKey({ keys, keep: write(folder.apiKey) });
      const passwords = new PasswordHasher();
      const first = await ensureFirstAccount(
        { accounts, passwords, keep: write(folder.adminPassword) },
        given,
      );
      this.#administrator = first && { email: first.account.email, password: first.password };
    });
  }

  start(): Promise<void> {
    const lines = [...this.#noticeOfKey(), ...this.#noticeOfAdministrator()];
    if (lines.length > 0) process.stderr.write(`\n${lines.join('\n')}\n\n`);
    return Promise.resolve();
  }

  ready(): Promise<boolean> {
    return Promise.resolve(true);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }

  #noticeOfKey(): string[] {
    if (this.#key === null) return [];
    const path = shownPath(this.#deps.folder.apiKey);
    return [
      `The first API key, an administrator's, is in ${path}.`,
      ...shownOnce(this.#key),
      'Try it:',
      `  curl -H "X-API-Key: $(cat ${path})" -F file=@photo.jpg ${this.#deps.url()}/api/detect/all`,
    ];
  }

  #noticeOfAdministrator(): string[] {
    if (this.#administrator === null) return [];
    const { email, password } = this.#administrator;
    const place = this.#deps.hasConsole ? [`Sign in at ${this.#deps.url()}/console/.`] : [];
    if (password === null) return [`The first administrator is ${email}.`, ...place];
    return [
      `The first administrator is ${email}; the password is in ${shownPath(this.#deps.folder.adminPassword)}.`,
      ...shownOnce(password),
      ...place,
    ];
  }
}

/** A secret is shown only at a terminal, because other output, such as a container's, ends up in logs. */
function shownOnce(secret: string): string[] {
  return process.stderr.isTTY ? [`It is shown only this once: ${secret}`] : [];
}

function shownPath(file: string): string {
  const shown = relative(process.cwd(), file);
  return shown.startsWith('..') ? file : shown;
}
