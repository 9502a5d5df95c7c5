import type { Verdict } from '../../decisions/decision-state.ts';
import type { CommandId } from '../../keys/commands.ts';
import type { OwnTexts } from './review-messages.ts';
import type { Card } from './card.ts';
import type { ReviewTab } from './review-search.ts';

/** Something that a person can decide about a face. */
export interface CardAction {
  readonly id: CommandId;
  readonly text: string;
  readonly isPrimary?: boolean;
  readonly verdict: Verdict;
  /** The text of the bar afterwards. */
  readonly done: string;
}

const CONFIRM_IDS = [
  'review.confirm.1',
  'review.confirm.2',
  'review.confirm.3',
  'review.confirm.4',
  'review.confirm.5',
] as const satisfies readonly CommandId[];

/** The people among whom the person chooses, with the keys for that. */
export function candidateActions(card: Card, texts: OwnTexts): readonly CardAction[] {
  return card.candidates.map(({ identityId, label }, index) => ({
    id: CONFIRM_IDS[index]!,
    text: texts.isPerson(label),
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
    isPrimary: true,
    verdict: { kind: 'keep' },
    done: texts.kept(card.current?.label ?? ''),
  };
  const reject: CardAction = {
    id: 'review.reject',
    text: texts.reject,
    verdict: { kind: 'reject' },
    done: texts.rejected,
  };
  const dismiss: CardAction = {
    id: 'review.dismiss',
    text: texts.dismiss,
    verdict: { kind: 'dismiss' },
    done: texts.dismissed,
  };
  const unassign: CardAction = {
    id: 'review.unassign',
    text: texts.unassign,
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
