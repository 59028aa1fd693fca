import { Module } from '@nestjs/common';
import { UnpaidChoices } from '../store/unpaid-choices.js';

@Module({ providers: [UnpaidChoices], exports: [UnpaidChoices] })
export class UnpaidChoicesModule {}
