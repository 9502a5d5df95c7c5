export interface UsersSearch {
  /** The text that names or e-mail addresses contain. */
  readonly q: string | undefined;
}

export function parseUsersSearch({ q }: Record<string, unknown>): UsersSearch {
  // The router reads a text of digits as a number.
  const text = typeof q === 'number' ? String(q) : q;
  return { q: typeof text === 'string' && text !== '' ? text : undefined };
}
