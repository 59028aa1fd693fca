import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { type Addresses, NODES, PORTS } from './addresses.ts';
import type { LinkEnds, Order } from './links-thread.ts';

/** The network between the nodes: replication, etcd, and Patroni's requests to each other. */
export class NodeLinks {
  private readonly thread: Worker;

  private constructor(thread: Worker) {
    this.thread = thread;
  }

  static async between(addresses: Addresses): Promise<NodeLinks> {
    const links = new NodeLinks(new Worker(new URL('./links-thread.ts', import.meta.url)));
    try {
      await links.order({ kind: 'OPEN', links: everyPair(addresses) });
      return links;
    } catch (error) {
      await links.stop();
      throw error;
    }
  }

  async cutOff(node: number): Promise<void> {
    await this.order({ kind: 'CUT_OFF', node });
  }

  async reconnect(node: number): Promise<void> {
    await this.order({ kind: 'RECONNECT', node });
  }

  async stop(): Promise<void> {
    await this.thread.terminate();
  }

  private async order(order: Order): Promise<void> {
    const answered = once(this.thread, 'message');
    this.thread.postMessage(order, []);
    const [failure] = (await answered) as [string | null];
    if (failure !== null) throw new Error(failure);
  }
}

function everyPair(addresses: Addresses): LinkEnds[] {
  return NODES.flatMap((from) =>
    NODES.filter((to) => to !== from).flatMap((to) =>
      Object.values(PORTS).map((port) => ({
        from,
        to,
        target: `tcp://${addresses.node(to)}:${port}`,
        at: { host: addresses.between(from, to), port },
      })),
    ),
  );
}
