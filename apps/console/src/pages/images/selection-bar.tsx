import { useState } from 'react';
import { useSend } from '../../client/use-send.ts';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { SelectedBar } from '../../lists/selected-bar.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { DeleteDialog } from '../../images/delete-dialog.tsx';
import type { ImageTarget } from '../../images/image-target.ts';
import { ReprocessDialog } from '../../images/reprocess-dialog.tsx';
import { SELECTION_MESSAGES } from '../../images/selection-messages.ts';
import { startReprocessing } from './start-reprocessing.ts';
import type { StartedJob } from './use-follow-job.ts';

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
      run: () => decide('delete'),
      isDisabled,
    },
    {
      id: 'images.reprocess',
      label: texts.reprocess,
      run: () => decide('reprocess'),
      isDisabled,
    },
  ]);
  const selected = target().kind === 'all' ? texts.allSelected : texts.selected;
  return (
    <>
      {count > 0 && (
        <SelectedBar text={selected(formats.number(count))} onClear={onClear}>
          <Button shortcut="images.reprocess" onPress={() => decide('reprocess')}>
            {texts.reprocess}
          </Button>
          <Button shortcut="images.delete" onPress={() => decide('delete')}>
            {texts.delete}
          </Button>
        </SelectedBar>
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
