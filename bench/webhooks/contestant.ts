/**
 * One contestant as a process of its own: whenever it is told a number, it is given that many deliveries,
 * sends them all and says how many a second that were, from the start to the last one's record. A first
 * lot, not measured, warms it up; then it says that it is ready. It ends with the one who started it.
 */
import { once } from 'node:events';
import { contestants, type ContestantName } from './contestants.ts';

/** What a contestant is told, as JSON in `CONTESTANT`. */
export interface ContestantOrder {
  readonly name: ContestantName;
  /** A database of the contestant's own. */
  readonly databaseUrl: string;
  /** The data folder of its server. */
  readonly dataDir: string;
  readonly receiverPorts: readonly number[];
  readonly subscriptions: number;
  readonly inFlight: number;
  readonly warmUp: number;
  /** Where the service is built that is to be measured; the project's own when left out. */
  readonly dist?: string;
}

/** What it answers. */
export interface ContestantResult {
  /** Deliveries a second, end to end. */
  readonly rate: number;
  /** Processor time of the contestant's own process, in microseconds a delivery. */
  readonly processorMicros: number;
  /** The same of PostgreSQL. */
  readonly serverMicros: number;
}

const order = JSON.parse(process.env.CONTESTANT ?? '{}') as ContestantOrder;
const contestant = await contestants[order.name](order);
await contestant.send(order.warmUp);
process.on('message', (deliveries: number) => void measure(deliveries));
process.send?.('ready');
await once(process, 'disconnect');
await contestant.close();
process.exit(0);

async function measure(deliveries: number): Promise<void> {
  const measured = await contestant.send(deliveries);
  const result: ContestantResult = {
    rate: deliveries / measured.seconds,
    processorMicros: measured.processorMicros / deliveries,
    serverMicros: measured.serverMicros / deliveries,
  };
  process.send?.(result);
}
