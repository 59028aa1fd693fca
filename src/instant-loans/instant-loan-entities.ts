import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';
import { InstantLoanRow } from './instant-loan.entity.js';

export const INSTANT_LOAN_ENTITIES = [InstantLoanRow, InstantLoanAuditRow];
