import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-aria-components';
import { useApi, useRead } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { joinClasses } from '../../ui/join-classes.ts';
import { Panel } from '../../ui/panel.tsx';
import { areStepsHidden, hideSteps } from './hidden-steps.ts';
import { OVERVIEW_MESSAGES } from './overview-messages.ts';
import styles from './overview.module.css';

/** How often the steps are looked at while one of them is open, in ms. */
const STEP_MS = 3_000;

export interface FirstStepsProps {
  readonly environment: string;
  readonly stats: OperationBody<'getStats'>;
}

/** The steps from an empty environment to one that recognizes people. They disappear when all are done. */
export function FirstSteps({ environment, stats }: FirstStepsProps) {
  const [isHidden, setHidden] = useState(() => areStepsHidden(environment));
  if (isHidden) return null;
  const hide = () => {
    hideSteps(environment);
    setHidden(true);
  };
  return <Steps environment={environment} stats={stats} onHide={hide} />;
}

interface StepsProps extends FirstStepsProps {
  readonly onHide: () => void;
}

function Steps({ environment, stats, onHide }: StepsProps) {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const steps = useSteps(environment, stats);
  if (steps === null || steps.every(({ isDone }) => isDone)) return null;
  const next = steps.find(({ isDone }) => !isDone);
  return (
    <Panel title={texts.steps}>
      <ol className={styles.steps}>
        {steps.map(({ path, name, text, isDone }) => (
          <li key={path} className={styles.step}>
            <span className={joinClasses(styles.mark, isDone && styles.done)}>
              {isDone && <Icon name="check" />}
            </span>
            <div>
              <Link
                href={`/console/${environment}/${path}`}
                className={joinClasses(styles.stepLink, path === next?.path && styles.next)}
              >
                {name}
              </Link>
              <span className="visually-hidden">{isDone ? texts.stepDone : texts.stepOpen}</span>
              <p className={styles.quiet}>{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <Button look="quiet" onPress={onHide}>
        {texts.hideSteps}
      </Button>
    </Panel>
  );
}

function useSteps(environment: string, stats: FirstStepsProps['stats']) {
  const texts = useMessages(OVERVIEW_MESSAGES);
  const often = { refetchInterval: STEP_MS };
  const capabilities = useQuery({ ...capabilitiesQuery(useApi()), ...often });
  const keys = useRead('listKeys', {}, often);
  // The page reads the numbers as well, but less often.
  useRead('getStats', {}, often);
  if (capabilities.isPending || keys.isPending) return null;
  return [
    {
      path: 'models',
      name: texts.stepModels,
      text: texts.stepModelsText,
      isDone: (capabilities.data?.detection_types.length ?? 0) > 0,
    },
    {
      path: 'upload',
      name: texts.stepPhotos,
      text: texts.stepPhotosText,
      isDone: stats.source_images > 0,
    },
    {
      path: 'unknown',
      name: texts.stepName,
      text: texts.stepNameText,
      isDone: stats.face_identities > 0,
    },
    {
      path: 'account',
      name: texts.stepKey,
      text: texts.stepKeyText,
      isDone:
        keys.data?.items.some(({ environment_id: id }) => String(id) === environment) ?? false,
    },
  ];
}
