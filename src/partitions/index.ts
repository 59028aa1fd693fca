export { PartitionUpkeep } from './partition-upkeep.js';
export type { PartitionedTable } from './partitioned-table.js';
export { PartitionsModule } from './partitions.module.js';
