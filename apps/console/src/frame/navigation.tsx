import { Link, useLocation } from '@tanstack/react-router';
import { type RefObject, useEffect, useRef } from 'react';
import { useRead } from '../client/api-context.tsx';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Icon } from '../ui/icon.tsx';
import { FRAME_MESSAGES } from './frame-messages.ts';
import { useUploadProgress } from '../uploads/uploads-context.tsx';
import styles from './frame.module.css';
import { PAGES } from './pages.ts';

export interface NavigationProps {
  readonly environment: string;
}

/** The links to all pages of an environment. */
export function Navigation({ environment }: NavigationProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const list = useCurrentInView();
  return (
    <nav className={styles.side} aria-label={texts.pages}>
      <ul ref={list}>
        {PAGES.map(({ name, to, icon }) => (
          <li key={name}>
            <Link to={to} params={{ environment }} className={styles.link}>
              <Icon name={icon} />
              {texts[name]}
              {name === 'review' && <WaitingFaces />}
              {name === 'upload' && <RunningUploads />}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

/** Scrolls the row of links, which narrow windows have, to the page that is open. */
function useCurrentInView(): RefObject<HTMLUListElement | null> {
  const list = useRef<HTMLUListElement>(null);
  const { pathname } = useLocation();
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>('[aria-current="page"]');
    if (!list.current || !link) return;
    list.current.scrollLeft = link.offsetLeft - (list.current.clientWidth - link.offsetWidth) / 2;
  }, [pathname]);
  return list;
}

/** The number of faces that wait for a decision. */
function WaitingFaces() {
  const formats = useFormats();
  const count = useRead('countReviewQueue').data?.count ?? 0;
  if (count === 0) return null;
  return <span className={styles.badge}>{formats.number(count)}</span>;
}

/** The number of photos that are still on their way. */
function RunningUploads() {
  const texts = useMessages(FRAME_MESSAGES);
  const formats = useFormats();
  const { left } = useUploadProgress();
  if (left === 0) return null;
  return <span className={styles.badge}>{texts.uploadsLeft(formats.number(left))}</span>;
}
