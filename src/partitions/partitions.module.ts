import { Module } from '@nestjs/common';
import { PartitionUpkeep } from './partition-upkeep.js';
import { PartitionsRepository } from './store/partitions.repository.js';

/** Tables that only grow, kept by time. */
@Module({ providers: [PartitionUpkeep, PartitionsRepository], exports: [PartitionUpkeep] })
export class PartitionsModule {}
