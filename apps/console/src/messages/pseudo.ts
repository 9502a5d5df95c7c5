import type { Texts } from './define-messages.ts';

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á',
  e: 'é',
  i: 'í',
  o: 'ó',
  u: 'ú',
  A: 'Á',
  E: 'É',
  I: 'Í',
  O: 'Ó',
  U: 'Ú',
};

/** Texts that are a third longer, with accents and in brackets, which a test can tell from fixed texts. */
export function toPseudo<T extends Texts>(texts: T): T {
  const entries = Object.entries(texts).map(([name, text]) => [
    name,
    typeof text === 'string' ? mark(text) : (...values: never[]) => mark(text(...values)),
  ]);
  return Object.fromEntries(entries) as T;
}

function mark(text: string): string {
  const accented = text.replace(/[aeiou]/gi, (letter) => ACCENTED[letter]!);
  return `[${accented}${'~'.repeat(Math.ceil(text.length / 3))}]`;
}
