import { Platform1766000010000 } from './1766000010000-platform.js';
import { Audit1766000020000 } from './1766000020000-audit.js';
import { Auth1766000030000 } from './1766000030000-auth.js';
import { Settings1766000040000 } from './1766000040000-settings.js';
import { OperatorFlags1766000050000 } from './1766000050000-operator-flags.js';
import { RequestLog1766000060000 } from './1766000060000-request-log.js';
import { Leads1766000070000 } from './1766000070000-leads.js';
import { Matching1766000080000 } from './1766000080000-matching.js';
import { Consents1766000090000 } from './1766000090000-consents.js';
import { Lenders1766000100000 } from './1766000100000-lenders.js';
import { LenderApi1766000110000 } from './1766000110000-lender-api.js';
import { Journeys1766000120000 } from './1766000120000-journeys.js';
import { KeyFacts1766000130000 } from './1766000130000-key-facts.js';
import { InstantLoans1766000140000 } from './1766000140000-instant-loans.js';
import { Webhooks1766000150000 } from './1766000150000-webhooks.js';
import { Messaging1766000160000 } from './1766000160000-messaging.js';
import { Payments1766000170000 } from './1766000170000-payments.js';
import { Admin1766000180000 } from './1766000180000-admin.js';
import { Workbench1766000190000 } from './1766000190000-workbench.js';
import { Sandbox1766000200000 } from './1766000200000-sandbox.js';
import { CountedLimits1767000000000 } from './1767000000000-counted-limits.js';
import { PARTNER_REFERENCE } from './1767000010000-partner-reference.js';
import { RequestRealTime1767000110000 } from './1767000110000-request-real-time.js';

/** Oldest first: one baseline per module, then one file per change. */
export const MIGRATIONS = [
  Platform1766000010000,
  Audit1766000020000,
  Auth1766000030000,
  Settings1766000040000,
  OperatorFlags1766000050000,
  RequestLog1766000060000,
  Leads1766000070000,
  Matching1766000080000,
  Consents1766000090000,
  Lenders1766000100000,
  LenderApi1766000110000,
  Journeys1766000120000,
  KeyFacts1766000130000,
  InstantLoans1766000140000,
  Webhooks1766000150000,
  Messaging1766000160000,
  Payments1766000170000,
  Admin1766000180000,
  Workbench1766000190000,
  Sandbox1766000200000,
  CountedLimits1767000000000,
  ...PARTNER_REFERENCE,
  RequestRealTime1767000110000,
];
