import { useRead } from '../../client/api-context.tsx';
import { Page } from '../../frame/page.tsx';
import { Empty, Loading } from '../../frame/page-state.tsx';
import { useFormats, useMessages } from '../../messages/locale-context.tsx';
import { Failure } from '../../ui/failure.tsx';
import { IMAGES_MESSAGES } from './images-messages.ts';

export function ImagesPage() {
  const texts = useMessages(IMAGES_MESSAGES);
  const formats = useFormats();
  const count = useRead('countImages');
  const images = useRead('listImages');
  return (
    <Page title={texts.title} count={count.data && formats.number(count.data.count)}>
      {images.isPending && <Loading />}
      {images.error && <Failure error={images.error} onRetry={() => void images.refetch()} />}
      {images.data?.items.length === 0 && <Empty title={texts.emptyTitle} text={texts.emptyText} />}
      <ul>
        {images.data?.items.map(({ id, source_image_url: url }) => (
          <li key={id}>
            <img src={`${url}?w=384`} alt={texts.imageOf(String(id))} loading="lazy" />
          </li>
        ))}
      </ul>
    </Page>
  );
}
