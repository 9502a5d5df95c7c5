import { createContext, useContext, useMemo } from 'react';
import { chooseLocale, type Locale, type Messages, type Texts } from './define-messages.ts';
import { type Formats, formatsIn } from './formats.ts';
import { toPseudo } from './pseudo.ts';

/** The tag of the language that the person has chosen or the browser asks for, such as `de-AT`. */
const LocaleContext = createContext('en-US');

export const LocaleProvider = LocaleContext.Provider;

/** A language of tests, whose texts are longer and marked, so that texts that are not in the messages stand out. */
export const PSEUDO = 'en-XA';

export function useLocale(): { readonly tag: string; readonly locale: Locale } {
  const tag = useContext(LocaleContext);
  return { tag, locale: chooseLocale([tag]) };
}

/** The texts of a part of the console in the person's language. */
export function useMessages<T extends Texts>(messages: Messages<T>): T {
  const { tag, locale } = useLocale();
  return useMemo(
    () => (tag === PSEUDO ? toPseudo(messages[locale]) : messages[locale]),
    [messages, tag, locale],
  );
}

/** Numbers, dates, sizes and durations in the person's language. */
export function useFormats(): Formats {
  const { tag } = useLocale();
  return formatsIn(tag === PSEUDO ? 'en-US' : tag);
}
