import { Module } from '@nestjs/common';
import { InstantLoansRepository } from '../store/instant-loans.repository.js';
import { InstantLoanStatements } from './instant-loan-statements.js';

@Module({ providers: [InstantLoanStatements, InstantLoansRepository] })
export class InstantLoanStatementsModule {}
