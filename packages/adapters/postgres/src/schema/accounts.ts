import { boolean, check, index, pgTable, primaryKey, sql, text, unique } from '../drizzle.ts';
import { bytes, generatedId, instant, rowId } from './columns.ts';
import { platformPolicies } from './policies.ts';

/** The people who can sign in. Scoped transactions may not read them. */
export const accounts = pgTable(
  'accounts',
  {
    /** A UUID as text, like the owner of an environment. */
    id: text('id')
      .primaryKey()
      .default(sql`gen_random_uuid()::text`),
    email: text('email').notNull(),
    emailVerified: boolean('email_verified').notNull().default(false),
    name: text('name').notNull(),
    locale: text('locale'),
    passwordHash: text('password_hash').notNull(),
    passwordBy: text('password_by', { enum: ['owner', 'administrator', 'service'] }).notNull(),
    isAdmin: boolean('is_admin').notNull(),
    isDisabled: boolean('is_disabled').notNull().default(false),
    /** Without a foreign key, because an account may lose access to the environment at any time. */
    defaultEnvironmentId: rowId('default_environment_id'),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    unique('accounts_email').on(table.email),
    check(
      'accounts_password_by',
      sql`${table.passwordBy} in ('owner', 'administrator', 'service')`,
    ),
    ...platformPolicies(),
  ],
);

/** The sessions of browsers. */
export const sessions = pgTable(
  'sessions',
  {
    id: generatedId().primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The SHA-256 of the cookie's value. */
    hash: bytes('hash').notNull(),
    address: text('address'),
    userAgent: text('user_agent'),
    createdAt: instant('created_at').notNull().defaultNow(),
    lastUsedAt: instant('last_used_at').notNull().defaultNow(),
  },
  (table) => [
    unique('sessions_hash').on(table.hash),
    index('sessions_account').on(table.accountId),
    index('sessions_last_used').on(table.lastUsedAt),
    check('sessions_hash_length', sql`octet_length(${table.hash}) = 32`),
    ...platformPolicies(),
  ],
);

/** The logins of identity providers that are bound to accounts. */
export const logins = pgTable(
  'logins',
  {
    issuer: text('issuer').notNull(),
    /** The name by which the issuer knows the person, which never changes. */
    subject: text('subject').notNull(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    createdAt: instant('created_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.issuer, table.subject] }),
    unique('logins_account').on(table.accountId, table.issuer),
    ...platformPolicies(),
  ],
);

/** Failed sign-ins of the last minutes. The names are digests, so that they have one length and are not read in passing. */
export const signInFailures = pgTable(
  'sign_in_failures',
  {
    id: generatedId().primaryKey(),
    email: bytes('email').notNull(),
    address: bytes('address').notNull(),
    at: instant('at').notNull().defaultNow(),
  },
  (table) => [
    index('sign_in_failures_email').on(table.email, table.at),
    index('sign_in_failures_address').on(table.address, table.at),
    index('sign_in_failures_at').on(table.at),
    ...platformPolicies(),
  ],
);

/** The addresses from which people have signed in before. */
export const knownAddresses = pgTable(
  'known_addresses',
  {
    email: bytes('email').notNull(),
    address: bytes('address').notNull(),
    usedAt: instant('used_at').notNull().defaultNow(),
  },
  (table) => [
    primaryKey({ columns: [table.email, table.address] }),
    index('known_addresses_used').on(table.usedAt),
    ...platformPolicies(),
  ],
);
