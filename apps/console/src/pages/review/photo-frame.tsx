import { useMessages } from '../../messages/locale-context.tsx';
import { placeIn, partAround, type Size, type Box, wholePhoto } from './photo-view.ts';
import { REVIEW_MESSAGES } from './review-messages.ts';
import styles from './review.module.css';

export interface PhotoFrameProps {
  /** The photo; undefined as long as it is not known. */
  readonly photo: (Size & { readonly source_image_url: string }) | undefined;
  readonly box: Box;
  readonly isWhole: boolean;
}

/** The photo around the box, or the whole photo, in which everything but the box is darker. */
export function PhotoFrame({ photo, box, isWhole }: PhotoFrameProps) {
  const texts = useMessages(REVIEW_MESSAGES);
  if (photo === undefined) return <div className={styles.photo} />;
  const part = isWhole ? wholePhoto(photo) : partAround(box, photo);
  const all = { x: 0, y: 0, w: photo.width, h: photo.height };
  return (
    <div className={styles.photo}>
      <img
        className={styles.picture}
        style={placeIn(part, all)}
        src={`${photo.source_image_url}?w=768`}
        alt={isWhole ? texts.photoWhole : texts.photo}
      />
      <div className={styles.lit} style={placeIn(part, box)} />
    </div>
  );
}
