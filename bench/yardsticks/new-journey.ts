import { createCipheriv, createHash, createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { Settings } from './hand-written.ts';

const SEALING_KEY = Buffer.alloc(32, 5);
const LENDERS = ['navdhara', 'kaverisetu', 'tarangudyam'];
const STEPS = ['OFFERS', 'KYC', 'BANK_ACCOUNT', 'MANDATE', 'ESIGN', 'DISBURSEMENT'];

interface InitiateBody {
  mobile?: string;
  productCode?: string;
  loanAmount?: number;
  customer?: { pan?: string; fullName?: string };
}

export interface NewJourney {
  /** The statement's parameters from the third on. */
  readonly values: unknown[];
  readonly answer: unknown;
}

/** The checks and rows of a hand-written initiate; null when the body is not valid. */
export function newJourney(settings: Settings, text: string): NewJourney | null {
  const body = JSON.parse(text) as InitiateBody;
  const { mobile = '', productCode = '', loanAmount = 0, customer = {} } = body;
  const isRight =
    /^[6-9]\d{9}$/.test(mobile) &&
    /^[A-Z]{5}\d{4}[A-Z]$/.test(customer.pan ?? '') &&
    loanAmount > 0;
  if (!isRight) return null;
  const journeyId = idOf('jrn');
  const applicationId = idOf('app');
  const eventId = idOf('evt');
  const session = randomBytes(32).toString('base64url');
  const event = {
    id: eventId,
    event: 'journey.initiated',
    createdAt: new Date().toISOString(),
    apiVersion: 'v1',
    sequence: 1,
    journeyId,
    applicationId,
    data: { productCode, channel: 'API_HEADLESS', state: 'INITIATED', outcome: 'IN_PROGRESS' },
  };
  return {
    values: [
      journeyId,
      applicationId,
      settings.partnerId,
      productCode,
      Math.round(loanAmount * 100),
      'yardstick',
      STEPS,
      seal(JSON.stringify({ mobile, ...customer })),
      keyedHash(mobile),
      keyedHash(customer.pan ?? ''),
      createHash('sha256').update(session).digest('hex'),
      eventId,
      JSON.stringify(event),
      seal(JSON.stringify({ productCode, loanAmount, applicant: { mobile, ...customer } })),
      LENDERS.map(() => idOf('qst')),
      LENDERS,
    ],
    answer: {
      journeyId,
      applicationId,
      nextAction: { type: 'POLL_LENDER_OFFERS', category: 'POLL' },
      journeySession: session,
    },
  };
}

function idOf(prefix: string): string {
  return `${prefix}_${randomUUID().replaceAll('-', '')}`;
}

function seal(plain: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', SEALING_KEY, iv);
  const bytes = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return Buffer.concat([iv, cipher.getAuthTag(), bytes]).toString('base64url');
}

function keyedHash(value: string): string {
  return createHmac('sha256', SEALING_KEY).update(value).digest('hex');
}
