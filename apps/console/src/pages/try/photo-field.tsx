import { type DragEvent, useState } from 'react';
import { useMessages } from '../../messages/locale-context.tsx';
import { Notice } from '../../ui/notice.tsx';
import { useDescribePhotoError } from '../../uploads/describe-photo-error.ts';
import type { Photo } from './photo.ts';
import { PhotoSources, usePastedPhoto, usePhotoFile } from './photo-sources.tsx';
import { PhotoView, type PhotoViewProps } from './photo-view.tsx';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

export interface PhotoFieldProps extends Pick<PhotoViewProps, 'marks' | 'selected' | 'onSelect'> {
  readonly label: string;
  readonly photo: Photo | null;
  readonly onPhoto: (photo: Photo) => void;
  /** Whether it takes pasted pictures; one field of the page does at a time. */
  readonly takesPasted: boolean;
}

/** A place for one photo, with the ways by which it gets there. */
export function PhotoField({ label, photo, onPhoto, takesPasted, ...view }: PhotoFieldProps) {
  const texts = useMessages(TRY_MESSAGES);
  const describe = useDescribePhotoError();
  const { error, take, clear } = usePhotoFile(onPhoto);
  const [isTarget, setTarget] = useState(false);
  const replace = (next: Photo) => {
    clear();
    onPhoto(next);
  };
  usePastedPhoto(takesPasted, { onPhoto: replace, onFile: take });
  const drop = (event: DragEvent) => {
    setTarget(false);
    const [file] = event.dataTransfer.files;
    // The frame uploads what no part of a page has taken.
    event.preventDefault();
    if (file !== undefined) take(file);
  };
  return (
    <section className={styles.part} aria-label={label}>
      <h2>{label}</h2>
      <div
        className={styles.drop}
        data-empty={photo === null || undefined}
        data-target={isTarget || undefined}
        onDragOver={() => setTarget(true)}
        onDragLeave={() => setTarget(false)}
        onDrop={drop}
      >
        {photo === null ? <p>{texts.drop}</p> : <PhotoView photo={photo} {...view} />}
      </div>
      {error && (
        <Notice look="bad" isAlert>
          {describe(error)}
        </Notice>
      )}
      <PhotoSources hasPhoto={photo !== null} onPhoto={replace} onFile={take} />
    </section>
  );
}
