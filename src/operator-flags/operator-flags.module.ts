import { Global, Module } from '@nestjs/common';
import { OperatorFlags } from './store/operator-flags.js';

/** What a person should look at. Global: whoever meets such a thing raises a flag. */
@Global()
@Module({ providers: [OperatorFlags], exports: [OperatorFlags] })
export class OperatorFlagsModule {}
