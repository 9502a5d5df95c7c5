import { Link, useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useRead } from '../client/api-context.tsx';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { joinClasses } from '../ui/join-classes.ts';
import { FRAME_MESSAGES } from './frame-messages.ts';
import { useUploadProgress } from '../uploads/uploads-context.tsx';
import styles from './frame.module.css';
import { useShownPages } from './use-shown-pages.ts';

export interface NavigationProps {
  readonly environment: string;
}

/** The links to all pages of an environment. */
export function Navigation({ environment }: NavigationProps) {
  const texts = useMessages(FRAME_MESSAGES);
  const pages = useShownPages();
  const path = useLocation({ select: ({ pathname }) => pathname });
  // Another page closes the list.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const isOpen = openAt === path;
  return (
    <nav className={styles.side} aria-label={texts.pages}>
      {/* Narrow windows have no room for all pages beside the content. */}
      <div className={styles.toggle}>
        <Button
          aria-expanded={isOpen}
          aria-controls="pages"
          onPress={() => setOpenAt(isOpen ? null : path)}
        >
          <Icon name="menu" />
          {texts.pages}
        </Button>
      </div>
      <ul id="pages" className={joinClasses(isOpen && styles.open)}>
        {pages.map(({ name, to, icon }) => (
          <li key={name} className={joinClasses(name === 'jobs' && styles.group)}>
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
