import { useRead } from '../../client/api-context.tsx';
import { Loading } from '../../frame/page-state.tsx';
import type { Job } from '../../jobs/job.ts';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TRANSFER_MESSAGES } from './transfer-messages.ts';

const COUNTS = [
  'identities_created',
  'identities_merged',
  'images_created',
  'detections_created',
  'embeddings_created',
  'embeddings_dropped',
  'skipped',
] as const;

/** The numbers of records that an import has stored. */
export function ImportResult({ job }: { readonly job: Job }) {
  const texts = useMessages(TRANSFER_MESSAGES);
  const formats = useFormats();
  const results = useRead('getJobResults', { path: { id: job.id } });
  const counts = results.data;
  return (
    <Panel title={texts.counts}>
      {results.isPending && <Loading />}
      {results.error && <Failure error={results.error} onRetry={() => void results.refetch()} />}
      {counts !== undefined && 'identities_created' in counts && (
        <Facts
          facts={COUNTS.map((name) => ({ name: texts[name], value: formats.number(counts[name]) }))}
        />
      )}
    </Panel>
  );
}
