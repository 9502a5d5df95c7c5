import { getRouteApi, Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useInvalidate } from '../../client/api-context.tsx';
import type { OperationBody } from '../../client/operations.ts';
import { type Pages, usePages } from '../../client/use-pages.ts';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Button } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Select } from '../../ui/select.tsx';
import { Table } from '../../ui/table.tsx';
import { hasEnded, type Job, JOB_MS } from '../../jobs/job.ts';
import { Panel } from '../../ui/panel.tsx';
import { JOB_STATUSES } from './job.ts';
import { JOBS_MESSAGES } from './jobs-messages.ts';

type Item = OperationBody<'listJobItems'>['items'][number];

const route = getRouteApi('/$environment/jobs/$job');

/** The items of a job with their reasons. They are read again while the job runs. */
export function JobItems({ job }: { readonly job: Job }) {
  const texts = useMessages(JOBS_MESSAGES);
  const { items: status } = route.useSearch();
  const navigate = route.useNavigate();
  const isRunning = !hasEnded(job);
  const pages = usePages(
    'listJobItems',
    { path: { id: job.id }, query: { status } },
    { firstPageMs: isRunning ? JOB_MS : null },
  );
  useReadAtEnd(job);
  const any = { value: 'any', text: texts.any } as const;
  return (
    <Panel
      title={texts.items}
      actions={
        <Select
          label={texts.state}
          isLabelHidden
          options={[any, ...JOB_STATUSES.map((value) => ({ value, text: texts[value] }))]}
          value={status ?? 'any'}
          onChange={(value) =>
            void navigate({
              search: { items: value === 'any' ? undefined : value },
              replace: true,
            })
          }
        />
      }
    >
      <Rows pages={pages} isFiltered={status !== undefined} />
    </Panel>
  );
}

interface RowsProps {
  readonly pages: Pages<'listJobItems'>;
  readonly isFiltered: boolean;
}

function Rows({ pages, isFiltered }: RowsProps) {
  const texts = useMessages(JOBS_MESSAGES);
  if (pages.error) return <Failure error={pages.error} onRetry={pages.retry} />;
  if (pages.items === undefined) return <Loading />;
  if (pages.items.length === 0) return <NoItems isFiltered={isFiltered} />;
  return (
    <>
      <ItemTable items={pages.items} />
      {pages.hasMore && (
        <Button isDisabled={pages.isReadingMore} onPress={pages.readMore}>
          {texts.more}
        </Button>
      )}
    </>
  );
}

/** The items that ended last are read after the job has ended. */
function useReadAtEnd(job: Job): void {
  const invalidate = useInvalidate();
  const isEnded = hasEnded(job);
  useEffect(() => {
    if (isEnded) void invalidate('listJobItems');
    // oxlint-disable-next-line react/exhaustive-deps -- the end happens once
  }, [isEnded]);
}

function NoItems({ isFiltered }: { readonly isFiltered: boolean }) {
  const texts = useMessages(JOBS_MESSAGES);
  const navigate = route.useNavigate();
  if (!isFiltered) return <Empty title={texts.noItems} text={texts.noItemsText} />;
  return (
    <Empty
      title={texts.noSuchItems}
      text={texts.noneText}
      action={<Button onPress={() => void navigate({ search: {} })}>{texts.clear}</Button>}
    />
  );
}

function ItemTable({ items }: { readonly items: readonly Item[] }) {
  const texts = useMessages(JOBS_MESSAGES);
  const formats = useFormats();
  return (
    <Table label={texts.items} columns={[texts.item, texts.state, texts.found, texts.reason]}>
      {items.map((item) => (
        <tr key={item.index}>
          <th scope="row">
            <ItemName item={item} />
          </th>
          <td>{texts[item.status]}</td>
          <td>
            {item.measured &&
              formats.list([
                texts.faces(formats.number(item.measured.faces)),
                texts.objects(formats.number(item.measured.objects)),
              ])}
          </td>
          <td>
            {item.detail} {item.code !== null && <code>{item.code}</code>}
          </td>
        </tr>
      ))}
    </Table>
  );
}

function ItemName({ item }: { readonly item: Item }) {
  const texts = useMessages(JOBS_MESSAGES);
  const formats = useFormats();
  const { environment } = route.useParams();
  const { name, source_image_id: image, index } = item;
  const text = name ?? (image === null ? null : texts.image(String(image)));
  if (image === null) return <bdi>{text ?? texts.nameless(formats.number(index + 1))}</bdi>;
  return (
    <Link to="/$environment/images/$image" params={{ environment, image: String(image) }}>
      <bdi>{text}</bdi>
    </Link>
  );
}
