import type { Prose } from './prose.ts';

/** Words and patterns that a text may not contain, each with what to write instead. */
const HOUSE_WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(un)?wish(es|ed|ing)?\b/i, 'desired state, requested'],
  [/\banew\b/i, 'again, retried, rebuilt'],
  [/\bso long( as)?\b/i, 'a timeout, a duration; while, if'],
  [
    /\b(whoever|somebody|(?<!(user|and) )nobody|whomever)\b/i,
    'the caller, another process, no client',
  ],
  [/\b(be|been|is|are|was|were|being) had\b/i, 'available, obtained'],
  [
    /\b(be|been|is|are|was|were|being|gets?|got) (not |never )?told\b(?! apart)/i,
    'notified, reported',
  ],
  [/\btold of\b/i, 'notified of'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bfor good\b/i, 'permanently'],
  [/\b(give|gives|gave|given|giving) way\b/i, 'roll back, yield, are removed for'],
  [/\bhappenings?\b/i, 'event'],
  [/\btroubles?\b/i, 'failure, error'],
  [/\bnudg(e|es|ed|ing)\b/i, 'wake'],
  [/\bpatience\b/i, 'deadline, timeout'],
  [/\b(coming|former) (face |object )?(model|one)s?\b/i, 'pending or previous model'],
  [/\b(held|holds?|holding) back\b/i, 'excluded, deferred'],
  [/\baskers?\b/i, 'poller, caller'],
  [/\bof no use\b/i, 'not ready, unusable'],
  [/\ba moment ago\b/i, 'between which two events'],
  [/\bha(s|ve|d) to do with\b/i, 'the noun itself'],
  [/\bhas the last word\b/i, 'owns'],
  [/\b(leaving (identity|identities)|(identity|identities) (is|are) leaving)\b/i, 'being deleted'],
  [/\b(has|have|had) (theirs|its own|his) made\b/i, 'name the actor: who makes it'],
];

/**
 * First words of sentences that do not begin with their subject. The pattern is case-sensitive, because the text of a
 * tag such as `@returns` begins in lower case and continues the tag's name.
 */
const OPENERS = /^(Of|What|Who|Those|Whoever|Somebody|Nobody)\b/;

/** If the part of a sentence after a comma begins with one of these words, it is no main clause. */
const NO_CLAUSE =
  /^(and|or|nor|with|without|as|if|when|while|which|that|who|whose|where|for|by|in|at|on|from|to|so|such|unless|because|not|also|even|before|after|until|like|including|relative)\b/i;

/** A rough sign of a verb: an auxiliary, or a word with the ending of a third person or of a past tense. */
const VERB =
  /\b(is|are|was|were|has|have|had|do|does|did|can|cannot|may|must|will|would|should|need|\w+(s|ed))\b/i;

/** Says what is wrong with the wording of a text: one line per fault, none if there is none. */
export function findings({ text, isSentence }: Pick<Prose, 'text' | 'isSentence'>): string[] {
  const words = text.replace(/`[^`]*`/g, '`x`');
  const found = HOUSE_WORDS.flatMap(([pattern, instead]) => {
    const match = pattern.exec(words);
    return match ? [`"${match[0]}": ${instead}`] : [];
  });
  const opener = isSentence ? opensWithoutSubject(words) : null;
  if (opener !== null) found.push(`begins with "${opener}": begin with the subject`);
  return found;
}

function opensWithoutSubject(text: string): string | null {
  const first = /^[^.;:!?]*([.;:!?]|$)/.exec(text)?.[0] ?? text;
  if (first.endsWith('?')) return null;
  const opener = OPENERS.exec(first);
  if (opener) return opener[0];
  return /^Where\b/.test(first) && !hasMainClause(first) ? 'Where' : null;
}

function hasMainClause(sentence: string): boolean {
  const [, ...parts] = sentence.split(/,\s+/);
  return parts.some((part) => !NO_CLAUSE.test(part) && VERB.test(part.replace(/^\w+\s/, '')));
}
