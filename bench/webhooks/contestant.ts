/**
 * One contestant as a process of its own: it is given deliveries, sends them all and says how many a
 * second that were, from the start to the last one's record. A first lot, not measured, warms it up.
 */
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
  readonly deliveries: number;
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
const measured = await contestant.send(order.deliveries);
await contestant.close();
const result: ContestantResult = {
  rate: order.deliveries / measured.seconds,
  processorMicros: measured.processorMicros / order.deliveries,
  serverMicros: measured.serverMicros / order.deliveries,
};
process.send?.(result, () => process.exit(0));
