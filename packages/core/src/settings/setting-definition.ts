import { trimWhiteSpace } from '../trim-white-space.ts';

/** `environment`: one value per environment. `system`: one value per installation, which administrators set. */
export type SettingScope = 'environment' | 'system';

export type SettingType = 'number' | 'integer' | 'string' | 'boolean' | 'string_array';

export type SettingValue = number | string | boolean | readonly string[];

/** The unit of a number; absent for similarities, scores and shares. */
export type SettingUnit = 'bytes' | 'days' | 'megabytes' | 'pixels' | 'requests' | 'seconds';

interface Range {
  readonly min: number;
  readonly max: number;
}

export interface SettingDefinition<T extends SettingValue = SettingValue> {
  readonly type: SettingType;
  readonly default: T;
  readonly scope: SettingScope;
  readonly description: string;
  /** Completes the sentence "The value must be …". */
  readonly accepts: string;
  /** The smallest and the largest value of a number. */
  readonly range?: Range;
  /** The values that a text, or each text of a list, may have. */
  readonly options?: readonly string[];
  /** The most texts of a list. */
  readonly maxItems?: number;
  readonly unit?: SettingUnit;
  /** Returns the value to store, or undefined if the value is not valid. */
  readonly read: (value: unknown) => T | undefined;
}

type About<T> = Pick<SettingDefinition, 'scope' | 'description'> & {
  readonly default: T;
  readonly unit?: SettingUnit;
};

export function numberSetting(range: Range, about: About<number>): SettingDefinition<number> {
  const { min, max } = range;
  return {
    ...about,
    type: 'number',
    range,
    accepts: `a number from ${min} to ${max}`,
    read: (value) =>
      typeof value === 'number' && value >= min && value <= max ? value : undefined,
  };
}

export function integerSetting(range: Range, about: About<number>): SettingDefinition<number> {
  const { read } = numberSetting(range, about);
  return {
    ...about,
    type: 'integer',
    range,
    accepts: `an integer from ${range.min} to ${range.max}`,
    read: (value) => (Number.isInteger(value) ? read(value) : undefined),
  };
}

export function booleanSetting(about: About<boolean>): SettingDefinition<boolean> {
  return {
    ...about,
    type: 'boolean',
    accepts: 'true or false',
    read: (value) => (typeof value === 'boolean' ? value : undefined),
  };
}

export function choiceSetting<const T extends string>(
  choices: readonly T[],
  about: About<NoInfer<T>>,
): SettingDefinition<T> {
  return {
    ...about,
    type: 'string',
    options: choices,
    accepts: choices.join(' or '),
    read: (value) => choices.find((choice) => choice === value),
  };
}

const MAX_URL_LENGTH = 2000;

/** A URL that the service calls, or an empty text for none. */
export function urlSetting(about: About<string>): SettingDefinition<string> {
  return {
    ...about,
    type: 'string',
    accepts: `an http or https URL of at most ${MAX_URL_LENGTH} characters, or empty`,
    read: (value) => (typeof value === 'string' && isUrlOrEmpty(value) ? value : undefined),
  };
}

function isUrlOrEmpty(text: string): boolean {
  if (text === '') return true;
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return false;
  // Control characters and unpaired surrogates are refused, although the URL parser accepts them by dropping or
  // replacing them. The text is stored as given, and the database cannot store some of these characters.
  if (/\p{Cc}/u.test(text) || !text.isWellFormed()) return false;
  return ['http:', 'https:'].includes(new URL(text).protocol);
}

/** A list of known names without repetitions. */
export function namesSetting(
  names: readonly string[],
  about: About<readonly string[]> & { readonly accepts: string },
): SettingDefinition<readonly string[]> {
  return {
    ...about,
    type: 'string_array',
    options: names,
    maxItems: names.length,
    read: listOf((text) => names.includes(text)),
  };
}

const MAX_PHRASES = 200;
const MAX_PHRASE_LENGTH = 200;

/** A list of short texts in plain language without repetitions. */
export function phrasesSetting(
  about: About<readonly string[]>,
): SettingDefinition<readonly string[]> {
  const read = listOf(isPhrase);
  return {
    ...about,
    type: 'string_array',
    maxItems: MAX_PHRASES,
    accepts:
      `a list of at most ${MAX_PHRASES} texts of 1 to ${MAX_PHRASE_LENGTH} characters in one line, ` +
      'without spaces around them',
    read: (value) => {
      const phrases = read(value);
      return phrases !== undefined && phrases.length <= MAX_PHRASES ? phrases : undefined;
    },
  };
}

function isPhrase(text: string): boolean {
  const isOneLine = text !== '' && text === trimWhiteSpace(text) && !/\p{Cc}/u.test(text);
  return isOneLine && text.isWellFormed() && Array.from(text).length <= MAX_PHRASE_LENGTH;
}

function listOf(isItem: (text: string) => boolean) {
  return (value: unknown): readonly string[] | undefined => {
    if (!Array.isArray(value)) return undefined;
    const items: readonly unknown[] = value;
    const texts = items.filter((item) => typeof item === 'string' && isItem(item)) as string[];
    return texts.length === items.length ? [...new Set(texts)] : undefined;
  };
}
