import { ADMINISTRATION } from './administration.ts';
import { AUDIT } from './audit.ts';
import { AUTH } from './auth.ts';
import { CONSENTS } from './consents.ts';
import { ERASURE_AREA } from './erasure.ts';
import { GUARDS } from './guards.ts';
import { HOSTED } from './hosted.ts';
import { IDEMPOTENCY } from './idempotency.ts';
import { INSTANT_LOANS } from './instant-loans.ts';
import { JOURNEYS } from './journeys.ts';
import type { Mutant } from './mutant.ts';
import { MILESTONES_TOLD } from './milestones.ts';
import { MONEY } from './money.ts';
import { PAYMENTS } from './payments.ts';
import { REFUNDS_MADE } from './refunds.ts';
import { REQUEST_LOG } from './request-log.ts';
import { SANDBOX_TIME } from './sandbox-time.ts';
import { TENANCY } from './tenancy.ts';
import { WEBHOOKS } from './webhooks.ts';
import { WORKBENCH } from './workbench.ts';
import { WORK } from './work.ts';

/** Every mutant, by area. */
export const AREAS = {
  audit: AUDIT,
  auth: AUTH,
  idempotency: IDEMPOTENCY,
  money: MONEY,
  journeys: JOURNEYS,
  consents: CONSENTS,
  hosted: HOSTED,
  milestones: MILESTONES_TOLD,
  erasure: ERASURE_AREA,
  tenancy: TENANCY,
  'request-log': REQUEST_LOG,
  payments: PAYMENTS,
  'instant-loans': INSTANT_LOANS,
  refunds: REFUNDS_MADE,
  'sandbox-time': SANDBOX_TIME,
  webhooks: WEBHOOKS,
  work: WORK,
  workbench: WORKBENCH,
  guards: GUARDS,
  administration: ADMINISTRATION,
} satisfies Record<string, readonly Mutant[]>;

export type Area = keyof typeof AREAS;
