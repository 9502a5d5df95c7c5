import { useEffect, useRef, useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { useDescribeError } from '../../ui/failure.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { useUndoable } from '../../undo/undo-context.tsx';
import { AUDIT_MESSAGES } from './audit-messages.ts';
import { type AuditExport, exportAudit } from './export-audit.ts';

/** Stores all entries that fit as a file, and shows how many were read. */
export function ExportButton({ query, actorName }: Pick<AuditExport, 'query' | 'actorName'>) {
  const texts = useMessages(AUDIT_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const describe = useDescribeError();
  const { announce } = useUndoable();
  const [count, setCount] = useState<number | null>(null);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const run = async () => {
    const controller = new AbortController();
    running.current = controller;
    setCount(0);
    try {
      const options = { query, actorName, onProgress: setCount, signal: controller.signal };
      const result = await exportAudit(api, options);
      saveFile(result.file, `audit-${new Date().toISOString().slice(0, 10)}.csv`);
      announce(texts.exported(formats.number(result.count)));
    } catch (error) {
      if (!controller.signal.aborted) announce(describe(error as Error));
    } finally {
      setCount(null);
    }
  };
  if (count === null) return <Button onPress={() => void run()}>{texts.export}</Button>;
  return (
    <>
      <span>{texts.exporting(formats.number(count))}</span>
      <Button onPress={() => running.current?.abort()}>{texts.cancel}</Button>
    </>
  );
}
