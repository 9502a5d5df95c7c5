export interface SettingsSearch {
  /** The text that the names, descriptions or keys of the shown settings contain. */
  readonly q: string | undefined;
}

export function parseSettingsSearch({ q }: Record<string, unknown>): SettingsSearch {
  // The router reads a text of digits as a number.
  const text = typeof q === 'number' ? String(q) : q;
  return { q: typeof text === 'string' && text !== '' ? text : undefined };
}
