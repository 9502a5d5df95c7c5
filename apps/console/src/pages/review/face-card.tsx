import { FaceCrop } from '../../faces/face-crop.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import type { CardAction } from './card-actions.ts';
import type { Card } from './card.ts';
import { PhotoFrame } from './photo-frame.tsx';
import { type OwnTexts, REVIEW_MESSAGES } from './review-messages.ts';
import styles from './review.module.css';
import type { CardMedia } from './use-card-media.ts';

export interface FaceCardProps {
  readonly card: Card;
  readonly media: CardMedia;
  readonly isWhole: boolean;
  /** The reason why the service did not accept the last decision about the face. */
  readonly error: Error | null;
  readonly candidates: readonly CardAction[];
  readonly others: readonly CardAction[];
  readonly onAct: (action: CardAction) => void;
}

/** A face with the photo around it, and everything that can be decided about it. */
export function FaceCard(props: FaceCardProps) {
  const { card, media, isWhole, error, candidates, others, onAct } = props;
  const texts = useMessages(REVIEW_MESSAGES);
  const formats = useFormats();
  return (
    <div className={styles.card}>
      <div className={styles.face}>
        <FaceCrop url={card.cropUrl} alt={texts.face} width={384} isEager />
      </div>
      <PhotoFrame photo={media.image(card.imageId)} box={card.bbox} isWhole={isWhole} />
      <div className={styles.panel}>
        <h2 aria-live="polite">
          <bdi>{questionOf(card, texts)}</bdi>
        </h2>
        {card.similarity !== null && (
          <p className={styles.quiet}>{texts.alike(formats.score(card.similarity))}</p>
        )}
        {error && (
          <div>
            <p>{texts.refused}</p>
            <Failure error={error} />
          </div>
        )}
        {card.candidates.length > 0 && (
          <ol className={styles.candidates} aria-label={texts.people}>
            {card.candidates.map(({ identityId, label, similarity }, index) => (
              <li key={identityId}>
                <Button
                  {...(index === 0 && { look: 'primary' })}
                  shortcut={candidates[index]!.id}
                  onPress={() => onAct(candidates[index]!)}
                >
                  <span className={styles.cover}>
                    <FaceCrop url={media.cover(identityId)} alt="" width={96} isEager />
                  </span>
                  <bdi className={styles.name}>{label}</bdi>
                  <span className={styles.score}>
                    <span className="visually-hidden">{texts.similarity}</span>
                    {formats.score(similarity)}
                  </span>
                </Button>
              </li>
            ))}
          </ol>
        )}
        <div className={styles.actions}>
          {others.map((action) => (
            <Button
              key={action.id}
              {...(action.isPrimary && { look: 'primary' })}
              shortcut={action.id}
              onPress={() => onAct(action)}
            >
              {action.text}
            </Button>
          ))}
        </div>
      </div>
    </div>
  );
}

function questionOf({ candidates, current, similarity }: Card, texts: OwnTexts): string {
  if (similarity !== null && current !== null) return texts.isReally(current.label);
  const [best] = candidates;
  return best === undefined ? texts.whoIsThis : texts.isThis(best.label);
}
