import { Link, useParams, useSearch } from '@tanstack/react-router';
import { useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { joinClasses } from '../../ui/join-classes.ts';
import { useDescribePhotoError } from '../../uploads/describe-photo-error.ts';
import type { Upload } from '../../uploads/upload.ts';
import { useUploads } from '../../uploads/uploads-context.tsx';
import { UPLOAD_MESSAGES } from './upload-messages.ts';
import styles from './upload.module.css';
import { visibleRows } from './visible-rows.ts';

/** The height of a row in pixels, as the style sheet has it. */
const ROW_HEIGHT = 48;

/** The uploads, of which only the rows in sight are drawn. */
export function UploadList() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const { queue } = useUploads();
  const all = useSyncExternalStore(queue.subscribe, () => queue.uploads);
  const { only } = useSearch({ from: '/$environment/upload' });
  const uploads = useMemo(
    () => (only === 'failed' ? all.filter(({ state }) => state.name === 'failed') : all),
    [all, only],
  );
  const frame = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ top: 0, height: 480 });
  const measure = () => {
    const { scrollTop: top = 0, clientHeight: height = 480 } = frame.current ?? {};
    setPlace({ top, height });
  };
  useLayoutEffect(measure, []);
  const { first, end } = visibleRows(uploads.length, { ...place, rowHeight: ROW_HEIGHT });
  return (
    // The list scrolls, so the keyboard has to reach it.
    <div
      ref={frame}
      className={styles.list}
      role="list"
      aria-label={texts.list}
      tabIndex={0}
      onScroll={measure}
    >
      <div style={{ height: uploads.length * ROW_HEIGHT }} role="presentation">
        {uploads.slice(first, end).map((upload, index) => (
          <div
            key={upload.id}
            className={styles.upload}
            role="listitem"
            aria-setsize={uploads.length}
            aria-posinset={first + index + 1}
            style={{ top: (first + index) * ROW_HEIGHT }}
          >
            <bdi className={styles.name} title={upload.source.name}>
              {upload.source.name}
            </bdi>
            <UploadResult state={upload.state} />
          </div>
        ))}
      </div>
    </div>
  );
}

function UploadResult({ state }: Pick<Upload, 'state'>) {
  const texts = useMessages(UPLOAD_MESSAGES);
  const formats = useFormats();
  const describe = useDescribePhotoError();
  const { environment } = useParams({ from: '/$environment' });
  if (state.name === 'failed') {
    const text = describe(state.error);
    return (
      <span className={joinClasses(styles.state, styles.failed)} title={text}>
        {text}
      </span>
    );
  }
  if (state.name !== 'stored') return <span className={styles.quiet}>{texts[state.name]}</span>;
  const { faces, objects, isKnown, imageId } = state.stored;
  return (
    <span className={styles.state}>
      <Link to="/$environment/images/$image" params={{ environment, image: String(imageId) }}>
        {texts.stored(formats.number(faces), formats.number(objects))}
      </Link>
      {isKnown && ` · ${texts.known}`}
    </span>
  );
}
