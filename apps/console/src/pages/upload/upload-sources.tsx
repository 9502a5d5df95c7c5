import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { useApi } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { capabilitiesQuery } from '../../session/session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { TextArea } from '../../ui/text-area.tsx';
import { photoAddresses } from '../../uploads/photo-address.ts';
import { addressesToSources, filesToSources } from '../../uploads/upload.ts';
import { useUploads } from '../../uploads/uploads-context.tsx';
import { UPLOAD_MESSAGES } from './upload-messages.ts';
import styles from './upload.module.css';

/** The ways by which photos come into the list. The frame takes files that are dropped anywhere. */
export function UploadSources() {
  const texts = useMessages(UPLOAD_MESSAGES);
  const formats = useFormats();
  const { add } = useUploads();
  const [isOpen, setOpen] = useState(false);
  const capabilities = useQuery(capabilitiesQuery(useApi()));
  const addFiles = (files: FileList | null) => add(filesToSources(files ?? []));
  return (
    <section className={styles.drop} aria-label={texts.sources}>
      <Icon name="upload" />
      <p>{texts.drop}</p>
      <div className={styles.row}>
        <FileTrigger allowsMultiple acceptedFileTypes={['image/*']} onSelect={addFiles}>
          <Button look="primary">{texts.files}</Button>
        </FileTrigger>
        <FileTrigger acceptDirectory onSelect={addFiles}>
          <Button>{texts.folder}</Button>
        </FileTrigger>
        <Button onPress={() => setOpen(true)}>{texts.addresses}</Button>
      </div>
      {capabilities.data && (
        <p className={styles.quiet}>
          {texts.empty(
            formats.bytes(capabilities.data.limits.image_bytes),
            formats.list(capabilities.data.formats),
          )}
        </p>
      )}
      {isOpen && <AddressDialog onClose={() => setOpen(false)} />}
    </section>
  );
}

function AddressDialog({ onClose }: { readonly onClose: () => void }) {
  const texts = useMessages(UPLOAD_MESSAGES);
  const { add } = useUploads();
  const [text, setText] = useState('');
  const [error, setError] = useState<string | null>(null);
  const take = () => {
    const { addresses, others } = photoAddresses(text);
    add(addressesToSources(addresses));
    if (others.length === 0) {
      onClose();
      return;
    }
    // The lines that are no addresses stay, so that the person can correct them.
    setText(others.join('\n'));
    setError(texts.noAddress);
  };
  return (
    <Dialog title={texts.addresses} isOpen onClose={onClose} isWide>
      <TextArea label={texts.onePerLine} rows={8} value={text} onChange={setText} error={error} />
      <DialogActions>
        <Button onPress={onClose}>{texts.cancel}</Button>
        <Button look="primary" isDisabled={text.trim() === ''} onPress={take}>
          {texts.add}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
