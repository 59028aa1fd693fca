/**
 * One contestant in a separate process. For each number that it receives, it gets that many deliveries and sends them
 * all. It returns the rate per second, from the start to the last record. The first deliveries warm it up; then it
 * reports that it is ready. It ends with its parent.
 */
import { once } from 'node:events';
import { contestants, type ContestantName } from './contestants.ts';

/** The order, as JSON in `CONTESTANT`. */
export interface ContestantOrder {
  readonly name: ContestantName;
  /** The contestant's own database. */
  readonly databaseUrl: string;
  /** The data folder of its server. */
  readonly dataDir: string;
  readonly receiverPorts: readonly number[];
  readonly subscriptions: number;
  readonly inFlight: number;
  readonly warmUp: number;
  /** The measured build; absent: the project's own. */
  readonly dist?: string;
}

/** The result. */
export interface ContestantResult {
  /** Deliveries per second, end to end. */
  readonly rate: number;
  /** Processor time of the contestant's process, in microseconds per delivery. */
  readonly processorMicros: number;
  /** The same for PostgreSQL. */
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
