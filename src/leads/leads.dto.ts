import { applyDecorators } from '@nestjs/common';
import type { ApiPropertyOptions } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  DescribedField,
  IgnoredParameters,
  isCalendarDate,
  parseIsoInstant,
  Rule,
  ShownChoice,
  ShownCount,
  ShownId,
  ShownList,
  ShownObject,
  ShownRupees,
  ShownText,
  ShownTime,
} from '../platform/index.js';
import { ShownClientReference, ShownMetadata } from './partner-reference.js';

/** `DEFAULT`: no amount was given yet. */
export const LOAN_AMOUNT_SOURCES = ['PARTNER', 'APPLICANT', 'DEFAULT'] as const;

export type LoanAmountSource = (typeof LOAN_AMOUNT_SOURCES)[number];

/** For the API document. */
export const LOAN_AMOUNT_SOURCE_TEXT =
  'PARTNER: you sent `loanAmount`. APPLICANT: the applicant entered it on our screens. DEFAULT: the ' +
  'product’s default amount.';

export class LeadView {
  @ShownId('app', 'The application.')
  applicationId: string;

  @ShownText('The product’s code.', 'ONLINE_PERSONAL')
  loanType: string;

  @ShownRupees('The requested amount, in rupees.', 200_000)
  loanAmount: number;

  @ShownChoice(LOAN_AMOUNT_SOURCE_TEXT, LOAN_AMOUNT_SOURCES)
  loanAmountSource: LoanAmountSource;

  @ShownText('Of a journey’s lead, the journey’s state.', 'OFFERS_RECEIVED')
  status: string;

  @ShownTime('When the application was submitted.')
  submittedAt: string;

  @ShownId('jrn', 'Its journey.', { optional: true })
  journeyId?: string;

  @ShownClientReference()
  clientReferenceId?: string;

  @ShownMetadata()
  metadata?: Readonly<Record<string, string>>;
}

export class LeadsPage {
  @ShownList(() => LeadView, 'Newest first.')
  leads: LeadView[];

  @ShownCount('The number of leads that the filters match.', 42)
  total: number;

  @ShownCount('The page number, from 1.', 1)
  page: number;

  @ShownCount('Maximum number of leads on a page.', 20)
  limit: number;

  @IgnoredParameters
  ignoredParameters?: string[];
}

class LeadFee {
  @ShownRupees('The fee with its tax, in rupees.', 590)
  amount: number;

  @ShownChoice('DUE: the applicant can still pay it. UNPAID: it was not paid in time.', [
    'DUE',
    'PAID',
    'UNPAID',
  ])
  status: 'DUE' | 'PAID' | 'UNPAID';

  @ShownTime('When it was paid.', { optional: true })
  paidAt?: string;
}

class LeadRefund {
  @ShownRupees('The refunded amount, in rupees.', 590)
  amount: number;

  @ShownChoice('PENDING: the gateway has not sent it yet. FAILED: the operator must act.', [
    'PENDING',
    'DONE',
    'FAILED',
  ])
  status: 'PENDING' | 'DONE' | 'FAILED';

  @ShownTime('When this status began.')
  updatedAt: string;
}

export type LeadDetails = Pick<LeadStatus, 'reason' | 'lenderCode' | 'fee' | 'refund'>;

export class LeadStatus {
  @ShownId('app', 'The application.')
  applicationId: string;

  @ShownText('Of a journey’s lead, the journey’s state.', 'KYC_PENDING')
  status: string;

  @ShownText('Why it ended, if there is a reason.', 'NO_OFFERS', { optional: true })
  reason?: string;

  @ShownText('The lender of the chosen offer.', 'navdhara', { optional: true })
  lenderCode?: string;

  @ShownObject(() => LeadFee, 'The fee that the applicant pays before the decision.', {
    optional: true,
  })
  fee?: LeadFee;

  @ShownObject(
    () => LeadRefund,
    'The refund of that fee, else of the last payment that went back.',
    { optional: true },
  )
  refund?: LeadRefund;

  @ShownTime('When the status last changed.')
  updatedAt: string;

  @ShownClientReference()
  clientReferenceId?: string;

  @ShownMetadata()
  metadata?: Readonly<Record<string, string>>;
}

const INDIA = '+05:30';
const FORMS = { dateOffset: INDIA, timeOffset: INDIA, basicOffset: true };
const DAY_MS = 86_400_000;

/**
 * Parses an ISO 8601 date or date-time; without offset in India's time. A date covers the whole
 * day.
 * @returns null when invalid
 */
export function parseTimeEdge(text: string, edge: 'start' | 'end'): Date | null {
  const at = parseIsoInstant(asSent(text), FORMS);
  if (at && edge === 'end' && isCalendarDate(text)) return new Date(at.getTime() + DAY_MS - 1);
  return at;
}

/** An unescaped plus arrives as a space; ISO 8601 allows a decimal comma. */
function asSent(text: string): string {
  return text.replace(/ (?=\d{2}:?\d{2}$)/, '+').replace(',', '.');
}

const DEFAULT_LIMIT = 20;
const MAX_PER_PAGE = 100;
const MAX_PAGES = 1_000_000_000;
const WHOLE_NUMBER = /^[+-]?\d+$/;

/** The last value counts; empty is absent, null invalid. */
function Parameter(
  parse: (text: string) => unknown,
  message: string,
  schema: ApiPropertyOptions,
  about: string,
): PropertyDecorator {
  return applyDecorators(
    DescribedField(schema, { optional: true, about }),
    Transform(({ value }: { value: unknown }) => {
      const last: unknown = Array.isArray(value) ? value.at(-1) : value;
      if (typeof last !== 'string') return null;
      return last.trim() === '' ? undefined : parse(last.trim());
    }),
    Rule('parameter', (value) => value !== null, message),
  );
}

function TextParameter(about: string): PropertyDecorator {
  return Parameter(parseText, 'must be text', { type: 'string' }, about);
}

function parseWholeNumber(text: string): number | null {
  return WHOLE_NUMBER.test(text) ? Number(text) : null;
}

/** PostgreSQL text cannot contain a NUL. */
function parseText(text: string): string {
  return text.replaceAll('\0', '\u{fffd}');
}

const WHOLE_NUMBER_MESSAGE = 'must be a whole number';
const ISO_FORM = 'an ISO 8601 date-time, or a date for the whole day in India.';
const DATE_MESSAGE = 'must be an ISO 8601 date or date-time';

export class LeadsQuery {
  @Parameter(
    parseWholeNumber,
    WHOLE_NUMBER_MESSAGE,
    { type: 'integer', default: 1 },
    'The page number, from 1.',
  )
  page?: number;

  @Parameter(
    parseWholeNumber,
    WHOLE_NUMBER_MESSAGE,
    { type: 'integer', default: DEFAULT_LIMIT },
    `Leads on a page, at most ${MAX_PER_PAGE}.`,
  )
  limit?: number;

  @TextParameter('Leads of this status.')
  status?: string;

  @TextParameter('Leads of this product code.')
  loanType?: string;

  @TextParameter('The lead of this journey.')
  journeyId?: string;

  @TextParameter('The lead of this application.')
  applicationId?: string;

  @TextParameter('Leads with this reference of yours.')
  clientReferenceId?: string;

  @Parameter(
    (text) => parseTimeEdge(text, 'start'),
    DATE_MESSAGE,
    { type: 'string' },
    `Leads submitted at or after this time: ${ISO_FORM}`,
  )
  from?: Date;

  @Parameter(
    (text) => parseTimeEdge(text, 'end'),
    DATE_MESSAGE,
    { type: 'string' },
    `Leads submitted at or before this time: ${ISO_FORM}`,
  )
  to?: Date;
}

/** Clamps out-of-range figures instead of refusing them. */
export function pageOf(query: LeadsQuery): { page: number; limit: number } {
  return {
    page: clamp(query.page ?? 1, MAX_PAGES),
    limit: clamp(query.limit ?? DEFAULT_LIMIT, MAX_PER_PAGE),
  };
}

function clamp(value: number, most: number): number {
  return Math.min(Math.max(value, 1), most);
}
