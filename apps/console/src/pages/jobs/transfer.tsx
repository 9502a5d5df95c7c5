import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import type { FollowedJob } from '../../jobs/followed-jobs.ts';
import { useJobs } from '../../jobs/jobs-context.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useMessages } from '../../messages/locale-context.tsx';
import { useRole } from '../../session/use-rights.ts';
import { Button } from '../../ui/button.tsx';
import { ExportDialog } from './export-dialog.tsx';
import { ImportDialog } from './import-dialog.tsx';
import styles from './jobs.module.css';
import { TRANSFER_MESSAGES } from './transfer-messages.ts';

/** Whether the role allows exports, imports and the saving of archives; undefined until it is known. */
export function useMayTransfer(): boolean | undefined {
  const role = useRole();
  return role && (role === 'editor' || role === 'owner');
}

/** The ways to take data out of the environment and into it. */
export function Transfer() {
  const texts = useMessages(TRANSFER_MESSAGES);
  const may = useMayTransfer();
  const [task, setTask] = useState<'export' | 'import' | null>(null);
  const isDisabled = may !== true;
  useCommands([
    { id: 'jobs.export', label: texts.exportTitle, run: () => setTask('export'), isDisabled },
    { id: 'jobs.import', label: texts.importTitle, run: () => setTask('import'), isDisabled },
  ]);
  const follow = useFollow();
  const close = () => setTask(null);
  if (may === false) return <p className={styles.quiet}>{texts.roleNeeded}</p>;
  return (
    <>
      <Button shortcut="jobs.export" isDisabled={isDisabled} onPress={() => setTask('export')}>
        {texts.export}
      </Button>
      <Button shortcut="jobs.import" isDisabled={isDisabled} onPress={() => setTask('import')}>
        {texts.import}
      </Button>
      {task === 'export' && (
        <ExportDialog
          onClose={close}
          onStarted={follow(texts.exporting, texts.exported, texts.exportFailed)}
        />
      )}
      {task === 'import' && (
        <ImportDialog
          onClose={close}
          onStarted={follow(texts.importing, texts.imported, texts.importFailed)}
        />
      )}
    </>
  );
}

/** Follows a job on every page, and opens its own. */
function useFollow() {
  const jobs = useJobs();
  const invalidate = useInvalidate();
  const navigate = useNavigate();
  const { environment } = useParams({ from: '/$environment' });
  return (title: string, done: string, failed: string) => (id: number) => {
    const followed: FollowedJob = {
      id,
      title,
      done: () => done,
      failed,
      onEnd: () => void invalidate('listJobs', 'getJob'),
    };
    jobs.follow(followed);
    const params = { environment, job: String(id) };
    void navigate({ to: '/$environment/jobs/$job', params });
  };
}
