import { InstantLoanAuditRow } from './instant-loan-audit.entity.js';
import { InstantLoan } from './instant-loan.entity.js';
import { InstantOffer } from './instant-offer.entity.js';

export const INSTANT_LOAN_ENTITIES = [InstantLoan, InstantLoanAuditRow, InstantOffer];
