import type { DecisionState } from '../../decisions/decision-state.ts';
import type { Card } from './card.ts';

export interface CardOrder {
  /** The faces in the order of the service's list. */
  readonly cards: readonly Card[];
  /** The faces that the person has put off. */
  readonly later: ReadonlySet<number>;
  readonly decisions: Pick<DecisionState, 'decided' | 'returned'>;
}

/** The faces that are still to be decided about. Those that came back are on top. */
export function orderCards({ cards, later, decisions }: CardOrder): readonly Card[] {
  const { decided, returned } = decisions;
  const open = new Map(
    cards.filter(({ face }) => !decided.has(face)).map((card) => [card.face, card]),
  );
  const first = returned.flatMap(({ face }) => open.get(face) ?? []);
  for (const { face } of first) open.delete(face);
  return [...first, ...[...open.values()].filter(({ face }) => !later.has(face))];
}
