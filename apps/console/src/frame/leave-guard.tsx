import { useBlocker } from '@tanstack/react-router';
import { useDecisionProgress } from '../decisions/decisions-context.tsx';
import { defineMessages } from '../messages/define-messages.ts';
import { useMessages } from '../messages/locale-context.tsx';
import { Button } from '../ui/button.tsx';
import { Dialog, DialogActions } from '../ui/dialog.tsx';
import { useUploadProgress } from '../uploads/uploads-context.tsx';

const MESSAGES = defineMessages({
  en: {
    title: 'Leave this environment?',
    uploads: 'Photos are still being uploaded. Those that are not stored yet are not sent.',
    decisions:
      'The service has not answered all of your decisions yet. They are sent when you come back in this tab.',
    stay: 'Stay',
    leave: 'Leave',
  },
  de: {
    title: 'Diese Umgebung verlassen?',
    uploads: 'Es werden noch Fotos hochgeladen. Die restlichen werden nicht gesendet.',
    decisions:
      'Der Dienst hat noch nicht alle Ihre Entscheidungen beantwortet. Sie werden gesendet, wenn Sie in diesem Tab zurückkehren.',
    stay: 'Bleiben',
    leave: 'Verlassen',
  },
});

/** Asks before a person leaves an environment in which something is still being sent, also before the tab is closed. */
export function LeaveGuard({ environment }: { readonly environment: string }) {
  const texts = useMessages(MESSAGES);
  const { left } = useUploadProgress();
  const { unanswered } = useDecisionProgress();
  const isSending = left > 0 || unanswered > 0;
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: ({ next }) =>
      isSending && (next.params as { environment?: string }).environment !== environment,
    enableBeforeUnload: isSending,
    withResolver: true,
  });
  return (
    <Dialog title={texts.title} isOpen={status === 'blocked'} onClose={reset}>
      {left > 0 && <p>{texts.uploads}</p>}
      {unanswered > 0 && <p>{texts.decisions}</p>}
      <DialogActions>
        <Button onPress={reset}>{texts.stay}</Button>
        <Button look="danger" onPress={proceed}>
          {texts.leave}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
