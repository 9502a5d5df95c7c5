import { createContext, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { joinClasses } from '../ui/join-classes.ts';
import { PictureQueue } from './picture-queue.ts';
import styles from './picture.module.css';

/** How often a picture is requested before it counts as missing, and the time between two requests in ms. */
const MAX_REQUESTS = 3;
const PAUSE_MS = 2_000;

const PictureQueueContext = createContext(new PictureQueue());

export const PictureQueueProvider = PictureQueueContext.Provider;

export interface PictureProps {
  /** The address of the picture with its width, such as `…?w=384`. */
  readonly src: string;
  /** The text of the picture for screen readers; empty if the text beside it says the same. */
  readonly alt: string;
  /** Whether the whole picture is shown, and not a part that fills the frame. */
  readonly isWhole?: boolean;
}

/** A picture that fills its frame, and that waits for its turn among the pictures of its list. */
export function Picture(props: PictureProps) {
  return <QueuedPicture key={props.src} {...props} />;
}

function QueuedPicture({ src, alt, isWhole = false }: PictureProps) {
  const queue = useContext(PictureQueueContext);
  const [state, setState] = useState<'waiting' | 'requested' | 'missing'>('waiting');
  const [requests, setRequests] = useState(1);
  const end = useRef<() => void>(() => undefined);
  const abort = useAbortOfRemoved();
  useEffect(() => {
    const stop = queue.request(() => setState('requested'));
    end.current = stop;
    return () => {
      stop();
      setState('waiting');
    };
  }, [queue, requests]);
  const failed = () => {
    end.current();
    setState('missing');
    if (requests < MAX_REQUESTS) setTimeout(() => setRequests(requests + 1), PAUSE_MS);
  };
  if (state === 'waiting' || state === 'missing') {
    const name = alt === '' ? {} : { role: 'img', 'aria-label': alt };
    return <span className={styles.frame} {...name} data-state={state} />;
  }
  return (
    <span className={styles.frame}>
      <img
        ref={abort}
        className={joinClasses(styles.image, isWhole && styles.whole)}
        src={src}
        alt={alt}
        draggable={false}
        onLoad={({ currentTarget }) => {
          end.current();
          // Many pictures arrive at once, and none of them changes what React has rendered.
          currentTarget.dataset.shown = '';
        }}
        onError={failed}
      />
    </span>
  );
}

/** Browsers go on loading a picture that was removed from the document unless it loses its address. */
function useAbortOfRemoved() {
  return useCallback((image: HTMLImageElement | null) => {
    return () =>
      queueMicrotask(() => {
        if (image?.isConnected === false) image.removeAttribute('src');
      });
  }, []);
}
