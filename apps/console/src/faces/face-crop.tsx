import { Icon } from '../ui/icon.tsx';
import { joinClasses } from '../ui/join-classes.ts';
import styles from './face-crop.module.css';

export interface FaceCropProps {
  /** The path of the crop; null if there is none. */
  readonly url: string | null;
  /** The text of the picture for screen readers; empty if the text beside it says the same. */
  readonly alt: string;
  /** The width of the picture, in pixels. */
  readonly width?: 96 | 192 | 384;
  /** Whether it is shown at once, because it was loaded before. */
  readonly isEager?: boolean;
}

/** The picture of a face or an object. */
export function FaceCrop({ url, alt, width = 192, isEager = false }: FaceCropProps) {
  if (url === null) {
    return (
      <span className={joinClasses(styles.crop, styles.empty)}>
        <Icon name="people" />
      </span>
    );
  }
  return (
    <img
      className={styles.crop}
      src={`${url}?w=${width}`}
      alt={alt}
      loading={isEager ? 'eager' : 'lazy'}
      decoding={isEager ? 'sync' : 'async'}
    />
  );
}
