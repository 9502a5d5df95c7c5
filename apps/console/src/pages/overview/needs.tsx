import { Link } from 'react-aria-components';
import { useRead } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { useRights } from '../../session/use-rights.ts';
import { Failure } from '../../ui/failure.tsx';
import { Icon, type IconName } from '../../ui/icon.tsx';
import { Panel } from '../../ui/panel.tsx';
import { OVERVIEW_MESSAGES } from './overview-messages.ts';
import styles from './overview.module.css';
import { REFRESH_MS } from './refresh.ts';

const MOST_LISTED = 200;

export interface NeedsProps {
  readonly environment: string;
  /** The number of faces that wait for review. */
  readonly waiting: number;
}

interface Need {
  readonly path: string;
  readonly icon: IconName;
  readonly count: number;
  readonly text: (count: string) => string;
  /** Whether there are more than the count says. */
  readonly isMore?: boolean;
}

/** Everything that waits for a decision of a person, with links to the pages for it. */
export function Needs({ environment, waiting }: NeedsProps) {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const formats = useFormats();
  const { needs, failed } = useNeeds(waiting);
  return (
    <Panel title={texts.needs}>
      {needs.length === 0 && failed === undefined && <p>{texts.nothing}</p>}
      <ul className={styles.needs}>
        {needs.map(({ path, icon, count, text, isMore = false }) => (
          <li key={path}>
            <Link className={styles.need} href={`/console/${environment}/${path}`}>
              <Icon name={icon} />
              {text(`${formats.number(count)}${isMore ? '+' : ''}`)}
              <Icon name="right" />
            </Link>
          </li>
        ))}
      </ul>
      {failed?.error && <Failure error={failed.error} onRetry={() => void failed.refetch()} />}
    </Panel>
  );
}

function useNeeds(waiting: number) {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const { isOwner } = useRights();
  const often = { refetchInterval: REFRESH_MS };
  const mismatches = useRead('listMismatches', { query: { limit: 1 } }, often);
  const groups = useRead('countClusters', {}, often);
  const failedJobs = { status: 'failed', limit: MOST_LISTED } as const;
  const jobs = useRead('listJobs', { query: failedJobs }, often);
  // Only owners may read webhooks.
  const webhooks = useRead('listWebhooks', {}, { ...often, enabled: isOwner });
  const needs: Need[] = [
    { path: 'review', icon: 'review', count: waiting, text: texts.needReview },
    {
      path: 'review?tab=mismatches',
      icon: 'review',
      count: countOf(mismatches.data?.count),
      text: texts.needMismatches,
    },
    {
      path: 'unknown',
      icon: 'unknown',
      count: countOf(groups.data?.count),
      text: texts.needGroups,
    },
    {
      path: 'jobs?status=failed',
      icon: 'jobs',
      count: countOf(jobs.data?.items.length),
      isMore: jobs.data?.has_more === true,
      text: texts.needJobs,
    },
    {
      path: 'webhooks',
      icon: 'webhooks',
      count: countOf(webhooks.data?.items.filter((each) => each.disabled_reason !== null).length),
      text: texts.needWebhooks,
    },
  ];
  return {
    needs: needs.filter(({ count }) => count > 0),
    failed: [mismatches, groups, jobs, webhooks].find(({ error }) => error !== null),
  };
}

/** A number that has not been read yet leads to no link. */
function countOf(count: number | undefined): number {
  return count ?? 0;
}
