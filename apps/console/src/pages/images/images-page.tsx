import { useLocation, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useCallback, useState } from 'react';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { Link as AriaLink } from 'react-aria-components';
import { type GridSelection, NOTHING, selectedCount } from '../../lists/grid-selection.ts';
import { useRailText } from '../../lists/use-rail-text.ts';
import { WindowedGrid } from '../../lists/windowed-grid.tsx';
import { NewRows } from '../../live/new-rows.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { useInvalidate } from '../../client/api-context.tsx';
import { Button, buttonClass } from '../../ui/button.tsx';
import { Failure } from '../../ui/failure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { useChanges } from '../../undo/changes-context.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { IMAGE_MEASURE, type ImageRow, renderImage } from './image-cell.tsx';
import { foundIn, type ImageTarget } from './image-target.ts';
import { IMAGES_MESSAGES } from './images-messages.ts';
import { type ImagesSearch, isFiltered, parseImagesSearch, SORTS } from './images-search.ts';
import { ImagesJob, type StartedJob } from './images-job.tsx';
import { SelectionBar } from './selection-bar.tsx';
import { SELECTION_MESSAGES } from './selection-messages.ts';
import { useImageList } from './use-image-list.ts';

export function ImagesPage() {
  const texts = useMessages(IMAGES_MESSAGES);
  const formats = useFormats();
  const search = useSearch({ from: '/$environment/images' });
  const navigate = useNavigate({ from: '/$environment/images' });
  const [isFiltering, setFiltering] = useState(false);
  const [job, setJob] = useState<StartedJob | null>(null);
  const list = useImageList(search);
  const { count, current } = list;
  const invalidate = useInvalidate();
  const change = (part: ImagesSearch) => {
    setFiltering(false);
    void navigate({ to: '.', search: { ...search, ...part } });
  };
  return (
    <Page
      title={texts.title}
      count={count.data && formats.number(count.data.count)}
      isFilled
      actions={
        <>
          <NewRows
            shown={count.data?.count}
            current={count.isFetching ? undefined : current.data?.count}
            onShow={() => void invalidate('countImages', 'listImageBuckets')}
          />
          <Select
            label={texts.sort}
            isLabelHidden
            options={SORTS.map((value) => ({ value, text: texts[value] }))}
            value={search.sort ?? 'newest'}
            onChange={(sort) => change({ sort: sort === 'newest' ? undefined : sort })}
          />
          <Button onPress={() => setFiltering(true)}>{texts.filter}</Button>
        </>
      }
    >
      <FilterChips search={search} onChange={change} />
      {job !== null && <ImagesJob key={job.id} job={job} onEnd={() => setJob(null)} />}
      <Content
        key={JSON.stringify(search)}
        search={search}
        list={list}
        onChange={change}
        onJob={setJob}
      />
      <FilterDialog
        isOpen={isFiltering}
        search={search}
        onApply={change}
        onClose={() => setFiltering(false)}
      />
    </Page>
  );
}

interface ContentProps {
  readonly search: ImagesSearch;
  readonly list: ReturnType<typeof useImageList>;
  readonly onChange: (part: ImagesSearch) => void;
  readonly onJob: (job: StartedJob) => void;
}

function Content({ search, list, onChange, onJob }: ContentProps) {
  const { buckets, count } = list;
  const error = buckets.data === undefined ? buckets.error : null;
  if (error) return <Failure error={error} onRetry={() => void buckets.refetch()} />;
  if (buckets.data === undefined || count.data === undefined) return <Loading />;
  if (count.data.count > 0) return <ImageGrid search={search} list={list} onJob={onJob} />;
  return (
    <NoImages isFiltered={isFiltered(search)} onReset={() => onChange(parseImagesSearch({}))} />
  );
}

interface NoImagesProps {
  readonly isFiltered: boolean;
  readonly onReset: () => void;
}

function NoImages({ isFiltered: isAnyHidden, onReset }: NoImagesProps) {
  const texts = useMessages(IMAGES_MESSAGES);
  const { environment } = useParams({ from: '/$environment' });
  if (isAnyHidden) {
    const reset = <Button onPress={onReset}>{texts.removeAll}</Button>;
    return <Empty title={texts.noMatchTitle} text={texts.noMatchText} action={reset} />;
  }
  const upload = (
    <AriaLink className={buttonClass('primary')} href={`/console/${environment}/upload`}>
      <Icon name="upload" />
      {texts.upload}
    </AriaLink>
  );
  return <Empty title={texts.emptyTitle} text={texts.emptyText} action={upload} />;
}

function ImageGrid({ search, list, onJob }: Omit<ContentProps, 'onChange'>) {
  const texts = useMessages(IMAGES_MESSAGES);
  const selectionTexts = useMessages(SELECTION_MESSAGES);
  const formats = useFormats();
  const { announce } = useChanges();
  const { environment } = useParams({ from: '/$environment' });
  const navigate = useNavigate({ from: '/$environment/images' });
  const historyEntry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const [selection, setSelection] = useState<GridSelection>(NOTHING);
  const invalidate = useInvalidate();
  const { rows, filter, buckets } = list;
  const total = rows.total ?? 0;
  const query = location.search;
  const hrefOf = useCallback(
    ({ id }: ImageRow) => `/console/${environment}/images/${id}${query}`,
    [environment, query],
  );
  const target = (): ImageTarget =>
    selection.kind === 'some'
      ? {
          kind: 'some',
          ids: [...selection.ids],
          found: foundIn(selection.ids, rows.rowsAtHand()),
        }
      : {
          kind: 'all',
          where: filter,
          as_of: buckets.data!.as_of,
          except: [...selection.except],
        };
  const deleted = (ids: readonly number[]) => {
    rows.remove(new Set(ids));
    setSelection(NOTHING);
    void invalidate('countImages');
  };
  return (
    <>
      <WindowedGrid
        label={texts.title}
        rows={rows}
        measure={IMAGE_MEASURE}
        renderCell={renderImage}
        hrefOf={hrefOf}
        historyEntry={historyEntry}
        railText={useRailText(buckets.data!.items)}
        onOpen={({ id }) =>
          void navigate({
            to: '/$environment/images/$image',
            params: { environment, image: String(id) },
            search,
            state: (state) => ({ ...state, isFromList: true }),
          })
        }
        selecting={{
          selection,
          onChange: setSelection,
          onLongRange: (most) => announce(selectionTexts.longRange(formats.number(most))),
        }}
      />
      <SelectionBar
        count={selectedCount(selection, total)}
        target={target}
        onDeleted={deleted}
        onJob={(job) => {
          setSelection(NOTHING);
          onJob(job);
        }}
        onClear={() => setSelection(NOTHING)}
      />
    </>
  );
}
