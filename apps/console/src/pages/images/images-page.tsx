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
import { useUndoable } from '../../undo/undo-context.tsx';
import { FilterChips } from './filter-chips.tsx';
import { FilterDialog } from './filter-dialog.tsx';
import { IMAGE_MEASURE, renderImage } from './image-cell.tsx';
import type { ImageRow } from './image-list.ts';
import { IMAGE_READS } from '../../images/image-reads.ts';
import { foundIn, type ImageTarget } from '../../images/image-target.ts';
import { IMAGES_MESSAGES } from './images-messages.ts';
import { type ImagesSearch, isFiltered, parseImagesSearch, SORTS } from './images-search.ts';
import { SelectionBar } from './selection-bar.tsx';
import { SELECTION_MESSAGES } from '../../images/selection-messages.ts';
import { useFollowJob } from './use-follow-job.ts';
import { useImageList } from './use-image-list.ts';

export function ImagesPage() {
  const texts = useMessages(IMAGES_MESSAGES);
  const formats = useFormats();
  const search = useSearch({ from: '/$environment/images' });
  const navigate = useNavigate({ from: '/$environment/images' });
  const [isFiltering, setFiltering] = useState(false);
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
            onShow={() => void invalidate(...IMAGE_READS)}
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
      <Content key={JSON.stringify(search)} search={search} list={list} onChange={change} />
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
}

function Content({ search, list, onChange }: ContentProps) {
  const { buckets, count } = list;
  const failed = [buckets, count].filter(({ data, error }) => data === undefined && error);
  if (failed.length > 0) {
    const retry = () => failed.forEach(({ refetch }) => void refetch());
    return <Failure error={failed[0]!.error!} onRetry={retry} />;
  }
  if (buckets.data === undefined || count.data === undefined) return <Loading />;
  if (count.data.count > 0) return <ImageGrid search={search} list={list} />;
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

function ImageGrid({ search, list }: Omit<ContentProps, 'onChange'>) {
  const texts = useMessages(IMAGES_MESSAGES);
  const selectionTexts = useMessages(SELECTION_MESSAGES);
  const formats = useFormats();
  const { announce } = useUndoable();
  const { environment } = useParams({ from: '/$environment' });
  const navigate = useNavigate({ from: '/$environment/images' });
  const historyEntry = useLocation({ select: ({ state }) => state.__TSR_key ?? '' });
  const [selection, setSelection] = useState<GridSelection>(NOTHING);
  const followJob = useFollowJob();
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
          followJob(job);
        }}
        onClear={() => setSelection(NOTHING)}
      />
    </>
  );
}
