export { PartitionsModule, PartitionUpkeep } from './partition-upkeep.js';
export type { PartitionedTable } from './partitioned-table.js';
