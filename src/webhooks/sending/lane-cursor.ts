/** A row's place in the queue of its lane, which is in the order of these. */
export interface QueueKey {
  /** When it was due, in seconds of Unix time, to the microsecond. */
  readonly dueAt: number;
  readonly deliveryId: string;
}

/**
 * How far a lane has been read: first attempts and retries each have a queue of their own. What
 * comes before it was read, or is of a transaction that was late to commit.
 */
export interface LaneCursor {
  readonly first: QueueKey;
  readonly again: QueueKey;
}

const START: QueueKey = { dueAt: Number.NEGATIVE_INFINITY, deliveryId: '' };

/** Before everything. */
export const LANE_START: LaneCursor = { first: START, again: START };
