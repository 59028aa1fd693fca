import { InstantLoan } from './instant-loan.entity.js';

export const INSTANT_LOAN_ENTITIES = [InstantLoan];
