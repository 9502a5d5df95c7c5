import type { Verdict } from '../../decisions/decision-state.ts';
import type { OwnTexts } from './review-messages.ts';
import type { Card } from './card.ts';
import type { ReviewTab } from './review-search.ts';

/** Something that a person can decide about a face. */
export interface CardAction {
  readonly id: string;
  readonly text: string;
  /** The keys, of which the button names the first. */
  readonly keys: readonly string[];
  readonly isPrimary?: boolean;
  readonly verdict: Verdict;
  /** The text of the bar afterwards. */
  readonly done: string;
}

/** The people among whom the person chooses, with the keys for that. */
export function candidateActions(card: Card, texts: OwnTexts): readonly CardAction[] {
  return card.candidates.map(({ identityId, label }, index) => ({
    id: `review.confirm.${index + 1}`,
    text: texts.isPerson(label),
    keys: index === 0 ? ['Enter', '1'] : [String(index + 1)],
    isPrimary: index === 0,
    verdict: { kind: 'confirm', identityId },
    done: texts.confirmed(label),
  }));
}

/** The other decisions. Those without a meaning for the face are left out. */
export function otherActions(tab: ReviewTab, card: Card, texts: OwnTexts): readonly CardAction[] {
  const keep: CardAction = {
    id: 'review.keep',
    text: texts.keep,
    keys: ['Enter', 'Y'],
    isPrimary: true,
    verdict: { kind: 'keep' },
    done: texts.kept(card.current?.label ?? ''),
  };
  const reject: CardAction = {
    id: 'review.reject',
    text: texts.reject,
    keys: ['N'],
    verdict: { kind: 'reject' },
    done: texts.rejected,
  };
  const dismiss: CardAction = {
    id: 'review.dismiss',
    text: texts.dismiss,
    keys: ['X'],
    verdict: { kind: 'dismiss' },
    done: texts.dismissed,
  };
  const unassign: CardAction = {
    id: 'review.unassign',
    text: texts.unassign,
    keys: ['U'],
    verdict: { kind: 'unassign' },
    done: texts.unassigned,
  };
  const isAssigned = card.current !== null;
  return [
    ...(tab === 'mismatches' ? [keep] : []),
    ...(tab === 'suggested' || isAssigned ? [reject] : []),
    ...(tab === 'mismatches' ? [] : [dismiss]),
    ...(isAssigned ? [unassign] : []),
  ];
}
