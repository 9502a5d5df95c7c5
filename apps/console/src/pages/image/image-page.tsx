import { Page } from '../../frame/page.tsx';

export function ImagePage() {
  return <Page title="Image">{null}</Page>;
}
