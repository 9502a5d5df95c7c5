import { useCallback, useState } from 'react';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { joinClasses } from '../../ui/join-classes.ts';
import { Notice } from '../../ui/notice.tsx';
import type { Box } from './closest-box.ts';
import type { Photo } from './photo.ts';
import { TRY_MESSAGES } from './try-messages.ts';
import styles from './try.module.css';

/** A face or an object on the photo. */
export interface Mark {
  readonly key: string;
  readonly kind: 'face' | 'object';
  readonly bbox: Box;
  /** The text at the box, such as the number in the list. */
  readonly text: string;
  readonly landmarks?: readonly { readonly x: number; readonly y: number }[] | null | undefined;
}

export interface PhotoViewProps {
  readonly photo: Photo;
  readonly marks: readonly Mark[];
  readonly selected?: string | null;
  readonly onSelect?: (key: string) => void;
}

/** The photo with the boxes of what was found. The list beside it says the same to screen readers. */
export function PhotoView(props: PhotoViewProps) {
  const texts = useMessages(TRY_MESSAGES);
  const { photo } = props;
  if (photo.file !== undefined) return <FileView key={photo.id} {...props} file={photo.file} />;
  return (
    <Notice>
      <bdi className={styles.name}>{photo.url}</bdi>
      <p>{texts.elsewhere}</p>
    </Notice>
  );
}

function FileView({ file, marks, ...choice }: PhotoViewProps & { readonly file: File }) {
  const texts = useMessages(TRY_MESSAGES);
  const formats = useFormats();
  const [size, setSize] = useState<{ width: number; height: number } | 'unknown' | null>(null);
  const show = useShownFile(file);
  const count = (kind: Mark['kind']) =>
    formats.number(marks.filter((mark) => mark.kind === kind).length);
  if (size === 'unknown') {
    return (
      <Notice>
        <bdi className={styles.name}>{file.name}</bdi>
        <p>{texts.notShown}</p>
      </Notice>
    );
  }
  return (
    <div className={styles.photo}>
      <img
        ref={show}
        className={styles.picture}
        alt={texts.alt(file.name, count('face'), count('object'))}
        onLoad={({ currentTarget: { naturalWidth: width, naturalHeight: height } }) =>
          setSize({ width, height })
        }
        onError={() => setSize('unknown')}
      />
      {size !== null &&
        marks.map((mark) => <MarkedBox key={mark.key} mark={mark} size={size} {...choice} />)}
    </div>
  );
}

/** Returns a callback for the element that shows the file, which ends the address of the file with the element. */
function useShownFile(file: File) {
  return useCallback(
    (image: HTMLImageElement | null) => {
      const address = URL.createObjectURL(file);
      if (image !== null) image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [file],
  );
}

interface MarkedBoxProps extends Pick<PhotoViewProps, 'selected' | 'onSelect'> {
  readonly mark: Mark;
  readonly size: { readonly width: number; readonly height: number };
}

function MarkedBox({ mark, size, selected, onSelect }: MarkedBoxProps) {
  const { bbox, kind, text, key, landmarks } = mark;
  const across = (x: number) => `${(100 * x) / size.width}%`;
  const down = (y: number) => `${(100 * y) / size.height}%`;
  return (
    <>
      <div
        className={joinClasses(styles.box, styles[kind])}
        data-selected={key === selected || undefined}
        aria-hidden
        onClick={() => onSelect?.(key)}
        style={{
          left: across(bbox.x),
          top: down(bbox.y),
          width: across(bbox.w),
          height: down(bbox.h),
        }}
      >
        <span className={styles.tag}>{text}</span>
      </div>
      {landmarks?.map(({ x, y }, index) => (
        <span
          key={index}
          className={styles.landmark}
          aria-hidden
          style={{ left: across(x), top: down(y) }}
        />
      ))}
    </>
  );
}
