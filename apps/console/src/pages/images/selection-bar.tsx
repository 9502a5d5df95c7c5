import { useState } from 'react';
import { useSend } from '../../client/use-send.ts';
import { InActionBar } from '../../frame/action-slot.tsx';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import type { ImageTarget } from './image-target.ts';
import styles from './images.module.css';
import { ReprocessDialog } from './reprocess-dialog.tsx';
import type { StartedJob } from './running-job.tsx';
import { SELECTION_MESSAGES } from './selection-messages.ts';
import { startReprocessing } from './start-reprocessing.ts';

export interface SelectionBarProps {
  readonly count: number;
  /** Returns the selected images. */
  readonly target: () => ImageTarget;
  readonly onDeleted: (ids: readonly number[]) => void;
  readonly onJob: (job: StartedJob) => void;
  readonly onClear: () => void;
}

interface Decision {
  readonly action: StartedJob['action'];
  readonly target: ImageTarget;
}

/** The actions for the selected images. */
export function SelectionBar({ count, target, onDeleted, onJob, onClear }: SelectionBarProps) {
  const texts = useMessages(SELECTION_MESSAGES);
  const formats = useFormats();
  const send = useSend();
  const [decision, setDecision] = useState<Decision | null>(null);
  const close = () => setDecision(null);
  const decide = (action: StartedJob['action']) => setDecision({ action, target: target() });
  const started = (id: number) => {
    if (decision !== null) onJob({ id, action: decision.action });
  };
  const isDisabled = count === 0;
  useCommands([
    {
      id: 'images.delete',
      label: texts.delete,
      keys: ['Delete'],
      run: () => decide('delete'),
      isDisabled,
    },
    {
      id: 'images.reprocess',
      label: texts.reprocess,
      keys: ['P'],
      run: () => decide('reprocess'),
      isDisabled,
    },
  ]);
  const selected = target().kind === 'all' ? texts.allSelected : texts.selected;
  return (
    <>
      {count > 0 && (
        <InActionBar>
          <section className={styles.bar} aria-label={texts.selection}>
            <span role="status">{selected(formats.number(count))}</span>
            <Button shortcut="P" onPress={() => decide('reprocess')}>
              {texts.reprocess}
            </Button>
            <Button shortcut="Del" onPress={() => decide('delete')}>
              {texts.delete}
            </Button>
            <Button look="quiet" shortcut="Esc" onPress={onClear}>
              {texts.clear}
            </Button>
          </section>
        </InActionBar>
      )}
      {decision?.action === 'delete' && (
        <DeleteDialog
          target={decision.target}
          onDeleted={onDeleted}
          onJob={started}
          onClose={close}
        />
      )}
      {decision?.action === 'reprocess' && (
        <ReprocessDialog
          target={decision.target}
          start={async (choices) => {
            started(await startReprocessing(send, { target: decision.target, choices }));
          }}
          onClose={close}
        />
      )}
    </>
  );
}
