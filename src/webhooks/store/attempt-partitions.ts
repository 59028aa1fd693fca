import type { PartitionedTable } from '../../partitions/index.js';
import { DAYS_KEPT } from './delivery-upkeep.repository.js';

/**
 * The log of attempts, by the time at which the delivery was made: a delivery's attempts stand together. They go
 * with their week, but for those of deliveries that are there still: sent again lately, or kept waiting for long.
 */
export const ATTEMPT_WEEKS: PartitionedTable = {
  name: 'webhook_attempts',
  key: { column: 'delivery_id', idPrefix: 'dlv' },
  daysEach: 7,
  ahead: 2,
  daysKept: DAYS_KEPT,
  stillNeeded: `
    SELECT id AS key FROM webhook_deliveries
    WHERE id > $1 AND id <= $2 AND attempts > 0`,
};
