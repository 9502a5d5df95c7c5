import { freePort } from '@sightline/dev-platform/free-port';
import { QdrantProcess } from './qdrant-process.ts';

export class QdrantCluster implements AsyncDisposable {
  readonly nodes: readonly QdrantProcess[];

  private constructor(nodes: readonly QdrantProcess[]) {
    this.nodes = nodes;
  }

  static async start(count: number): Promise<QdrantCluster> {
    await using opening = new AsyncDisposableStack();
    const nodes: QdrantProcess[] = [];
    let first: URL | null = null;
    while (nodes.length < count) {
      const address = new URL(`http://127.0.0.1:${await freePort()}`);
      nodes.push(opening.use(await QdrantProcess.start({ peer: { address, joins: first } })));
      first ??= address;
    }
    opening.move();
    return new QdrantCluster(nodes);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.nodes.map((node) => node[Symbol.asyncDispose]()));
  }
}
