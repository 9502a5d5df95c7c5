/** The languages of the console. */
export const LOCALES = ['en', 'de'] as const;

export type Locale = (typeof LOCALES)[number];

/** Texts by name. A text with gaps is a function of the values that fill them. */
export type Texts = Readonly<Record<string, string | ((...values: never[]) => string)>>;

/** The texts of one part of the console in every language. */
export type Messages<T extends Texts> = Readonly<Record<Locale, T>>;

type Widened<T extends Texts> = {
  readonly [Name in keyof T]: T[Name] extends string ? string : T[Name];
};

/** Returns the messages. A text that one of the languages lacks does not compile. */
export function defineMessages<T extends Texts>(messages: {
  readonly en: T;
  readonly de: NoInfer<Widened<T>>;
}): Messages<Widened<T>> {
  return messages as unknown as Messages<Widened<T>>;
}

/** The best language for a person whose browser asks for these, the most wanted first. */
export function chooseLocale(requested: readonly string[]): Locale {
  for (const tag of requested) {
    const language = tag.toLowerCase().split('-', 1)[0];
    const locale = LOCALES.find((each) => each === language);
    if (locale !== undefined) return locale;
  }
  return 'en';
}
