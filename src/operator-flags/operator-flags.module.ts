import { Global, Module } from '@nestjs/common';
import { OperatorFlagMetrics } from './operator-flag-metrics.js';
import { OperatorFlags } from './store/operator-flags.js';

/** What a person should look at. Global: whoever meets such a thing raises a flag. */
@Global()
@Module({ providers: [OperatorFlags, OperatorFlagMetrics], exports: [OperatorFlags] })
export class OperatorFlagsModule {}
