import { Link } from '@tanstack/react-router';
import { useRead } from '../client/api-context.tsx';
import { useFormats, useMessages } from '../messages/locale-context.tsx';
import { Icon } from '../ui/icon.tsx';
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
  return (
    <nav className={styles.side} aria-label={texts.pages}>
      <ul>
        {pages.map(({ name, to, icon }) => (
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
