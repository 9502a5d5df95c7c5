import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { useApi } from '../../client/api-context.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { PickDialog } from '../../people/pick-dialog.tsx';
import { Button } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Chips } from '../../ui/chips.tsx';
import { Failure } from '../../ui/failure.tsx';
import { ChangedDialog } from './changed-dialog.tsx';
import { GroupRow } from './group-row.tsx';
import { ThresholdSlider } from './threshold-slider.tsx';
import styles from './unknown.module.css';
import { UNKNOWN_MESSAGES } from './unknown-messages.ts';
import { type ChangedGroup, useGroupDecisions } from './use-group-decisions.ts';
import { useGroupKeys } from './use-group-keys.ts';
import { type FaceGroup, useGroups } from './use-groups.ts';

const route = getRouteApi('/$environment/unknown');

/** The most faces of a group that are shown, and of a page of them. A request leaves out no more. */
const MOST_SHOWN = 1000;
const MOST_SHOWN_PAGE = 200;

const NO_FACES: ReadonlySet<number> = new Set();
const NO_GROUPS: ReadonlySet<string> = new Set();

/** Groups of faces that are probably of one person each, for one decision about each of them. */
export function GroupsTab() {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const api = useApi();
  const { threshold } = route.useSearch();
  const list = useGroups(threshold);
  const groups = list.groups ?? [];
  const [out, setOut] = useState(NO_FACES);
  const [chosen, setChosen] = useState(NO_GROUPS);
  const [naming, setNaming] = useState<readonly FaceGroup[] | null>(null);
  const decisions = useGroupDecisions({
    onDecided: ({ cluster_id: id }) => {
      list.remove(id);
      setChosen((before) => new Set([...before].filter((each) => each !== id)));
    },
  });
  const targets = (group: FaceGroup) => {
    const together = groups.filter(({ cluster_id: id }) => chosen.has(id));
    return together.length > 0 ? together : [group];
  };
  const choose = ({ cluster_id: id }: FaceGroup) => setChosen(toggled(chosen, id));
  const toggleFace = (id: number) => setOut(toggled(out, id));
  const name = (group: FaceGroup) => setNaming(targets(group));
  const ignore = (group: FaceGroup) =>
    decisions.decide({ groups: targets(group), out, task: { kind: 'ignore' } });
  const { place, goTo } = useGroupKeys({ groups, choose, toggleFace, name, ignore });
  const showAll = async (group: FaceGroup) =>
    list.replace(group.cluster_id, await readAll(api, group));
  const goOn = ({ former, group, rest }: ChangedGroup) => {
    decisions.closeChanged();
    if (group === null) return;
    list.replace(former.cluster_id, group);
    decisions.decide({ ...rest, groups: [group, ...rest.groups.slice(1)] });
  };
  return (
    <>
      <ThresholdSlider actual={list.first?.threshold} />
      <p className={styles.quiet}>
        {list.first && texts.single(formats.number(list.first.total_unclustered))}
      </p>
      {chosen.size > 0 && (
        <div className={styles.chosen}>
          <span>{texts.chosen(formats.number(chosen.size))}</span>
          <Button look="primary" onPress={() => setNaming(targets(groups[0]!))}>
            {texts.nameAll(formats.number(chosen.size))}
          </Button>
        </div>
      )}
      {decisions.error && <Failure error={decisions.error} onRetry={decisions.retry} />}
      <ListState list={list} />
      {groups.map((group, index) => (
        <GroupRow
          key={group.cluster_id}
          group={group}
          number={index + 1}
          out={out}
          current={index === place.group ? place.face : null}
          isChosen={chosen.has(group.cluster_id)}
          onChoose={() => choose(group)}
          onToggle={(id, face) => {
            goTo({ group: index, face });
            toggleFace(id);
          }}
          onShowAll={() => void showAll(group)}
          onName={() => name(group)}
          onIgnore={() => ignore(group)}
        />
      ))}
      {list.hasMore && <Button onPress={list.readMore}>{texts.more}</Button>}
      {naming !== null && (
        <NamingDialog
          groups={naming}
          out={out}
          onClose={() => setNaming(null)}
          onName={(task) => {
            setNaming(null);
            decisions.decide({ groups: naming, out, task });
          }}
        />
      )}
      {decisions.changed && (
        <ChangedDialog
          changed={decisions.changed}
          onClose={() => {
            decisions.closeChanged();
            list.retry();
          }}
          onGoOn={() => goOn(decisions.changed!)}
        />
      )}
    </>
  );
}

function ListState({ list }: { readonly list: ReturnType<typeof useGroups> }) {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const { threshold } = route.useSearch();
  const navigate = route.useNavigate();
  if (list.error) return <Failure error={list.error} onRetry={list.retry} />;
  if (list.groups === undefined) return <Loading />;
  if (list.groups.length > 0) return null;
  const remove = () =>
    void navigate({ replace: true, search: (search) => ({ ...search, threshold: undefined }) });
  return (
    <>
      {threshold !== undefined && (
        <Chips
          label={texts.filters}
          chips={[
            {
              key: 'threshold',
              text: texts.noneAbove(formats.score(threshold)),
              removeText: texts.removeThreshold(texts.noneAbove(formats.score(threshold))),
              onRemove: remove,
            },
          ]}
        />
      )}
      <Empty title={texts.none} text={texts.noneText} />
    </>
  );
}

interface NamingDialogProps {
  readonly groups: readonly FaceGroup[];
  readonly out: ReadonlySet<number>;
  readonly onClose: () => void;
  readonly onName: (task: {
    readonly kind: 'name';
    readonly person: Parameters<React.ComponentProps<typeof PickDialog>['onPick']>[0];
    readonly rejectsOthers: boolean;
  }) => void;
}

function NamingDialog({ groups, out, onClose, onName }: NamingDialogProps) {
  const texts = useMessages(UNKNOWN_MESSAGES);
  const formats = useFormats();
  const [rejectsOthers, setRejectsOthers] = useState(false);
  const taken = groups
    .flatMap(({ items }) => items)
    .filter(({ detection_id: id }) => out.has(id)).length;
  const count = groups.reduce((sum, { size }) => sum + size, 0) - taken;
  return (
    <PickDialog
      title={texts.whoTitle(formats.number(count))}
      label={texts.whoLabel}
      cancelText={texts.cancel}
      onClose={onClose}
      onPick={(person) => onName({ kind: 'name', person, rejectsOthers })}
    >
      {taken > 0 && (
        <Checkbox isSelected={rejectsOthers} onChange={setRejectsOthers}>
          {texts.rejectOthers(formats.number(taken))}
        </Checkbox>
      )}
    </PickDialog>
  );
}

/** All faces of a group, as far as a request may leave some of them out. */
async function readAll(api: ReturnType<typeof useApi>, group: FaceGroup): Promise<FaceGroup> {
  const items: FaceGroup['items'] = [];
  const readPage = (cursor: string | undefined) =>
    api.read('getCluster', {
      path: { cluster_id: group.cluster_id },
      query: { limit: MOST_SHOWN_PAGE, cursor },
    });
  let page = await readPage(undefined);
  items.push(...page.items);
  while (page.next_cursor !== null && items.length < MOST_SHOWN) {
    page = await readPage(page.next_cursor);
    items.push(...page.items);
  }
  return { cluster_id: page.cluster_id, size: page.size, items };
}

function toggled<T>(set: ReadonlySet<T>, member: T): ReadonlySet<T> {
  const next = new Set(set);
  if (!next.delete(member)) next.add(member);
  return next;
}
