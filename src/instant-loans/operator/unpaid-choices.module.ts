import { Module } from '@nestjs/common';
import { UnpaidChoices } from '../store/unpaid-choices.js';

/** The chosen lenders' fees that are still to be ordered, for whoever puts a configuration into force. */
@Module({ providers: [UnpaidChoices], exports: [UnpaidChoices] })
export class UnpaidChoicesModule {}
