import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useCommands } from '../../keys/keyboard-context.tsx';
import { Page } from '../../frame/page.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/progress.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { photoAddresses } from '../../uploads/photo-address.ts';
import { addressesToSources, filesToSources, type UploadChoices } from '../../uploads/upload.ts';
import { useUploadProgress, useUploads } from '../../uploads/uploads-context.tsx';
import { UploadList } from './upload-list.tsx';
import { UPLOAD_MESSAGES } from './upload-messages.ts';
import { UploadSources } from './upload-sources.tsx';
import styles from './upload.module.css';

/** Sends photos to the service. They go on while the person looks at other pages. */
export function UploadPage() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const { total } = useUploadProgress();
  usePastedPhotos();
  return (
    <Page title={texts.title}>
      <div className={styles.body}>
        <Choices />
        <UploadSources />
        {total > 0 && (
          <>
            <UploadProgress />
            <UploadList />
          </>
        )}
      </div>
    </Page>
  );
}

function Choices() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const { choices, choose } = useUploads();
  const change = (changed: Partial<UploadChoices>) => choose({ ...choices, ...changed });
  return (
    <div className={styles.choices} role="group" aria-label={texts.choices}>
      <Select<UploadChoices['detect']>
        label={texts.detect}
        value={choices.detect}
        onChange={(detect) => change({ detect })}
        options={[
          { value: 'all', text: texts.detectAll },
          { value: 'faces', text: texts.detectFaces },
          { value: 'objects', text: texts.detectObjects },
        ]}
      />
      <Switch
        label={texts.names}
        isOn={choices.namesAreRefs}
        onChange={(namesAreRefs) => change({ namesAreRefs })}
      />
      <Switch
        label={texts.replace}
        isOn={choices.replaces}
        onChange={(replaces) => change({ replaces })}
      />
    </div>
  );
}

function UploadProgress() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const formats = useFormats();
  const { queue } = useUploads();
  const { only } = useSearch({ from: '/$environment/upload' });
  const navigate = useNavigate({ from: '/$environment/upload' });
  const { total, stored, failed, left, isPaused } = useUploadProgress();
  const text = texts.progress(formats.number(stored), formats.number(total));
  const pause = () => (isPaused ? queue.resume() : queue.pause());
  const retry = () => queue.retryFailed();
  useCommands([
    { id: 'upload.pause', label: texts.pauseKey, run: pause, isDisabled: left === 0 },
    { id: 'upload.retry', label: texts.retry, run: retry, isDisabled: failed === 0 },
  ]);
  return (
    <div className={styles.progress}>
      <Progress
        label={text}
        isLabelHidden
        isTextHidden
        value={stored + failed}
        total={total}
        text={text}
      />
      <div className={styles.row}>
        <span role="status">
          {text}
          {failed > 0 && (
            <span className={styles.failed}> · {texts.failed(formats.number(failed))}</span>
          )}
        </span>
        {left > 0 && (
          <Button shortcut="upload.pause" onPress={pause}>
            {isPaused ? texts.resume : texts.pause}
          </Button>
        )}
        {failed > 0 && (
          <Button shortcut="upload.retry" onPress={retry}>
            {texts.retry}
          </Button>
        )}
        {stored > 0 && <Button onPress={() => queue.remove('stored')}>{texts.clear}</Button>}
        {failed > 0 && <Button onPress={() => queue.remove('failed')}>{texts.clearFailed}</Button>}
        <Switch
          label={texts.onlyFailed}
          isOn={only === 'failed'}
          onChange={(isOn) =>
            void navigate({ search: { only: isOn ? 'failed' : undefined }, replace: true })
          }
        />
      </div>
    </div>
  );
}

/** Takes pictures, and addresses of pictures, that are pasted outside of text fields. */
function usePastedPhotos(): void {
  const { add } = useUploads();
  useEffect(() => {
    const pasted = ({ clipboardData, target }: ClipboardEvent) => {
      if (target instanceof HTMLElement && target.matches('input,textarea')) return;
      const { addresses } = photoAddresses(clipboardData?.getData('text/plain') ?? '');
      const files = filesToSources(clipboardData?.files ?? []);
      // A picture that is copied from a web page comes with its address.
      add(files.length > 0 ? files : addressesToSources(addresses));
    };
    document.addEventListener('paste', pasted);
    return () => document.removeEventListener('paste', pasted);
  }, [add]);
}
