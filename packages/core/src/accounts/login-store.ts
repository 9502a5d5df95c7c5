import type { Account, AccountActor } from './account.ts';
import type { Login } from './login.ts';

export interface SignUp {
  /** In the form of `normalizeEmail`. */
  readonly email: string;
  readonly name: string;
  readonly requestId: string;
}

/** The ways in which an account may sign in. */
export interface WaysToSignIn {
  readonly hasPassword: boolean;
  /** Whether a login of the issuer is bound to the account. */
  readonly hasLogin: boolean;
}

/** The logins that are bound to accounts. All methods throw StoreUnavailable. */
export interface LoginStore {
  /** Finds the account of a login, even a disabled one. */
  accountOf(login: Login, signal?: AbortSignal): Promise<Account | null>;
  /**
   * Creates an account without a password that has the login.
   *
   * @throws EmailExists; LinkedElsewhere if the login is bound to an account
   */
  signUp(login: Login, account: SignUp): Promise<Account>;
  /**
   * Binds a login to an account while its session lasts. Nothing changes if it is bound to the account already.
   *
   * @throws LinkSessionEnded, LinkedElsewhere, AlreadyLinked
   */
  bind(login: Login, actor: AccountActor & { readonly sessionId: number }): Promise<void>;
  /**
   * Removes the login of an issuer from an account. Returns false if there is none.
   *
   * @throws LastSignIn if the account has no password
   */
  unbind(issuer: string, actor: AccountActor): Promise<boolean>;
  /** @param issuer null if the installation has no provider */
  waysOf(accountId: string, issuer: string | null, signal?: AbortSignal): Promise<WaysToSignIn>;
}
