import { LenderInboxRow } from './lender-inbox.entity.js';
import { LenderPayout } from './lender-payout.entity.js';
import { LenderQuestionRow } from './lender-question.entity.js';
import { LenderReferenceRow } from './lender-reference.entity.js';
import { LenderStatement } from './lender-statement.entity.js';
import { LenderStatementPayout } from './lender-statement-payout.entity.js';

export const LENDER_ENTITIES = [
  LenderInboxRow,
  LenderPayout,
  LenderQuestionRow,
  LenderReferenceRow,
  LenderStatement,
  LenderStatementPayout,
];
