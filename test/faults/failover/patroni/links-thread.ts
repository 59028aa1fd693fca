/**
 * Carries the nodes' traffic in its own thread. etcd starts an election after a second of silence, and the main thread
 * may be busy for longer.
 */
import { parentPort } from 'node:worker_threads';
import { DatabaseProxy } from '../../../support/database-proxy.ts';

export interface LinkEnds {
  readonly from: number;
  readonly to: number;
  readonly target: string;
  readonly at: { readonly host: string; readonly port: number };
}

export type Order =
  | { readonly kind: 'OPEN'; readonly links: readonly LinkEnds[] }
  | { readonly kind: 'CUT_OFF' | 'RECONNECT'; readonly node: number };

/** TCP keepalive: Patroni sets it so that a dead connection to etcd is closed within its `ttl`. */
const KEEPALIVE_MS = 20_000;

const noticing = new Map<number, NodeJS.Timeout>();
const links: (LinkEnds & { readonly proxy: DatabaseProxy })[] = [];

function linksOf(node: number): readonly DatabaseProxy[] {
  return links.filter(({ from, to }) => from === node || to === node).map(({ proxy }) => proxy);
}

function cutOff(node: number): void {
  for (const proxy of linksOf(node)) proxy.fallSilent();
  noticing.set(
    node,
    setTimeout(() => {
      for (const proxy of linksOf(node)) proxy.hangUp();
    }, KEEPALIVE_MS),
  );
}

/** Closes connections that were open during the cut; new ones pass. */
async function reconnect(node: number): Promise<void> {
  clearTimeout(noticing.get(node));
  for (const proxy of linksOf(node)) {
    await proxy.cut();
    proxy.speakAgain();
    await proxy.restore();
  }
}

async function carryOut(order: Order): Promise<void> {
  if (order.kind === 'OPEN') {
    for (const ends of order.links) {
      links.push({ ...ends, proxy: await DatabaseProxy.before(ends.target, ends.at) });
    }
  } else if (order.kind === 'CUT_OFF') cutOff(order.node);
  else await reconnect(order.node);
}

parentPort?.on('message', (order: Order) => {
  carryOut(order).then(
    () => parentPort?.postMessage(null, []),
    (error: unknown) => parentPort?.postMessage(String(error), []),
  );
});
