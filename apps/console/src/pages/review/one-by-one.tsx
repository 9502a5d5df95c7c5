import { Link, useParams } from '@tanstack/react-router';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { useDecide, useDecisionQueue } from '../../decisions/decisions-context.tsx';
import type { DecisionState } from '../../decisions/decision-state.ts';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { PickDialog } from '../../people/pick-dialog.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { type CardAction, candidateActions, otherActions } from './card-actions.ts';
import { orderCards } from './card-order.ts';
import type { Card } from './card.ts';
import { FaceCard } from './face-card.tsx';
import { REVIEW_MESSAGES } from './review-messages.ts';
import type { ReviewTab } from './review-search.ts';
import styles from './review.module.css';
import { useCardMedia } from './use-card-media.ts';
import { type Cards, useCards } from './use-cards.ts';

/** More faces are read when fewer than this number are left. */
const ENOUGH = 20;

const NONE: ReadonlySet<number> = new Set();

/** One face after the other. The next one appears at once, whatever the service does with the decision. */
export function OneByOne({ tab }: { readonly tab: ReviewTab }) {
  const queue = useDecisionQueue();
  // The course of requests is no reason to render the card again.
  const decided = useSyncExternalStore(queue.subscribe, () => queue.state.decided);
  const returned = useSyncExternalStore(queue.subscribe, () => queue.state.returned);
  const [later, setLater] = useState(NONE);
  const [place, setPlace] = useState<number | null>(null);
  const cards = useCards(tab);
  useEffect(() => queue.forgetDecided(), [queue]);
  const order = orderCards({ cards: cards.cards ?? [], later, decisions: { decided, returned } });
  const index = indexOf(order, place);
  const card = order[index];
  useReadAhead(cards, order.length - index);
  const media = useCardMedia(order.slice(index));
  const goTo = (next: number) => setPlace(order[next]?.face ?? null);
  const putOff = (face: number) => {
    setLater(new Set([...later, face]));
    goTo(index + 1);
  };
  if (cards.error && order.length === 0) {
    return <Failure error={cards.error} onRetry={cards.retry} />;
  }
  if (card === undefined) {
    if (cards.cards === undefined || !cards.isComplete) return <Loading />;
    return (
      <NothingLeft
        tab={tab}
        putOff={later.size}
        onShowPutOff={() => setLater(NONE)}
        onLookAgain={() => {
          queue.forgetDecided();
          void cards.readAgain();
        }}
      />
    );
  }
  return (
    <CurrentCard
      tab={tab}
      card={card}
      media={media}
      error={refusalOf(card, returned)}
      // The first card that is left is the next one, unless the person has skipped some.
      onDecided={() => goTo(index === 0 ? -1 : index + 1)}
      onLater={() => putOff(card.face)}
      onNext={index + 1 < order.length ? () => goTo(index + 1) : undefined}
      onPrevious={index > 0 ? () => goTo(index - 1) : undefined}
    />
  );
}

/** The first face is the one to decide about unless the person has moved to another one. */
function indexOf(order: readonly Card[], place: number | null): number {
  return Math.max(
    order.findIndex(({ face }) => face === place),
    0,
  );
}

function refusalOf({ face }: Card, returned: DecisionState['returned']): Error | null {
  return returned.find((each) => each.face === face)?.error ?? null;
}

function useReadAhead({ canReadMore, readMore }: Cards, left: number): void {
  useEffect(() => {
    if (left < ENOUGH && canReadMore) readMore();
  });
}

interface CurrentCardProps {
  readonly tab: ReviewTab;
  readonly card: Card;
  readonly media: ReturnType<typeof useCardMedia>;
  readonly error: Error | null;
  readonly onDecided: () => void;
  readonly onLater: () => void;
  readonly onNext: (() => void) | undefined;
  readonly onPrevious: (() => void) | undefined;
}

function CurrentCard(props: CurrentCardProps) {
  const { tab, card, media, error, onDecided, onLater, onNext, onPrevious } = props;
  const texts = useMessages(REVIEW_MESSAGES);
  const [isWhole, setWhole] = useState(false);
  const [isPicking, setPicking] = useState(false);
  const decide = useDecide();
  const candidates = candidateActions(card, texts);
  const others = otherActions(tab, card, texts);
  const act = ({ verdict, done: text }: Pick<CardAction, 'verdict' | 'done'>) => {
    setPicking(false);
    decide({ face: card.face, verdict, seen: card.seen, text });
    onDecided();
  };
  const pick = () => setPicking(true);
  const toggleWhole = () => setWhole(!isWhole);
  const wholeText = isWhole ? texts.part : texts.whole;
  useCommands([
    ...[...candidates, ...others].map((action) => ({
      id: action.id,
      label: action.text,
      run: () => act(action),
    })),
    { id: 'review.other', label: texts.other, run: pick },
    { id: 'review.who', label: texts.other, run: pick, isDisabled: tab !== 'open' },
    { id: 'review.later', label: texts.later, run: onLater },
    { id: 'review.whole', label: texts.whole, run: toggleWhole },
    ...moves(texts, onNext, onPrevious),
  ]);
  return (
    <>
      <FaceCard {...{ card, media, isWhole, error, candidates, others }} onAct={act} />
      <div className={styles.actions}>
        <Button shortcut={tab === 'open' ? 'review.who' : 'review.other'} onPress={pick}>
          {texts.other}
        </Button>
        <Button shortcut="review.later" onPress={onLater}>
          {texts.later}
        </Button>
        <Button shortcut="review.whole" onPress={toggleWhole}>
          {wholeText}
        </Button>
        <Button
          shortcut="review.previous"
          isDisabled={onPrevious === undefined}
          onPress={() => onPrevious?.()}
        >
          {texts.previous}
        </Button>
        <Button shortcut="review.next" isDisabled={onNext === undefined} onPress={() => onNext?.()}>
          {texts.next}
        </Button>
      </div>
      {isPicking && (
        <PickDialog
          title={texts.otherTitle}
          label={texts.otherLabel}
          cancelText={texts.cancel}
          onClose={() => setPicking(false)}
          onPick={({ id, label }) =>
            act(
              id === null
                ? { verdict: { kind: 'name', name: label }, done: texts.named(label) }
                : { verdict: { kind: 'confirm', identityId: id }, done: texts.confirmed(label) },
            )
          }
        />
      )}
    </>
  );
}

function moves(
  texts: { readonly next: string; readonly previous: string },
  onNext: (() => void) | undefined,
  onPrevious: (() => void) | undefined,
) {
  return [
    {
      id: 'review.next' as const,
      label: texts.next,
      run: () => onNext?.(),
      isDisabled: onNext === undefined,
    },
    {
      id: 'review.previous' as const,
      label: texts.previous,
      run: () => onPrevious?.(),
      isDisabled: onPrevious === undefined,
    },
  ];
}

interface NothingLeftProps {
  readonly tab: ReviewTab;
  readonly putOff: number;
  readonly onShowPutOff: () => void;
  readonly onLookAgain: () => void;
}

function NothingLeft({ tab, putOff, onShowPutOff, onLookAgain }: NothingLeftProps) {
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  if (putOff > 0) {
    return (
      <Empty
        title={texts.putOff(formats.number(putOff))}
        text={texts.putOffText}
        action={<Button onPress={onShowPutOff}>{texts.showPutOff}</Button>}
      />
    );
  }
  const hints = {
    suggested: texts.nothingSuggested,
    open: texts.nothingOpen,
    mismatches: texts.nothingMismatches,
  };
  return (
    <Empty
      title={texts.nothing}
      text={hints[tab]}
      action={
        <>
          <Button onPress={onLookAgain}>{texts.lookAgain}</Button>
          {tab !== 'mismatches' && <UnknownLink />}
        </>
      }
    />
  );
}

/** Faces without a suggestion are named faster in groups. */
function UnknownLink() {
  const texts = useMessages(REVIEW_MESSAGES);
  const { environment } = useParams({ from: '/$environment' });
  return (
    <Link to="/$environment/unknown" params={{ environment }} className={buttonClass()}>
      {texts.nameGroups}
    </Link>
  );
}
