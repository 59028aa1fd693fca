import { Injectable, Logger } from '@nestjs/common';
import { BUREAU_NAMES, type ConsentText } from '../../consents/index.js';
import {
  REDIRECT_DEFINITIONS,
  redirectDefinition,
  type RedirectStep,
} from '../../journey-steps/index.js';
import type { HostedJourneyView } from '../../journeys/index.js';
import type { ShownProvider } from '../../lenders/index.js';
import { PaymentOrders } from '../../payments/index.js';
import { logFailure, say, type ScreenModel, type Shown } from '../../platform/index.js';
import { ConfiguredGateways, type CreditReportTerms, smsCompany } from '../../settings/index.js';

export interface FeeTakers {
  /** The latest payment order, if any. */
  readonly orderId: string | null;
  /** The chosen lender, else all available ones; each may use another gateway. */
  readonly lenderCodes: readonly string[];
}

interface CompaniesByName {
  readonly smsCompany: string | null;
  readonly paymentCompanies: readonly string[];
}

/** Omits a name that cannot be read, so that the page still loads. */
@Injectable()
export class OutsideCompanies {
  private readonly logger = new Logger(OutsideCompanies.name);

  constructor(
    private readonly gateways: ConfiguredGateways,
    private readonly payments: PaymentOrders,
  ) {}

  /** @param fees null when no fee is taken */
  async of(fees: FeeTakers | null): Promise<CompaniesByName> {
    const names = fees ? await this.orNothing(() => this.feeCompanies(fees)) : null;
    return {
      smsCompany: await this.orNothing(async () => smsCompany(await this.gateways.sms())),
      paymentCompanies: names ?? [],
    };
  }

  /** Once a payment is ordered, its gateway has the data, whatever is configured now. */
  private async feeCompanies({ orderId, lenderCodes }: FeeTakers): Promise<string[]> {
    const ordered = orderId === null ? null : await this.payments.pageOf(orderId);
    if (ordered) return [ordered.name];
    const pages = await Promise.all(lenderCodes.map((code) => this.payments.pageFor(code)));
    return [...new Set(pages.flatMap((page) => page?.name ?? []))];
  }

  private async orNothing<Value>(read: () => Promise<Value>): Promise<Value | null> {
    try {
      return await read();
    } catch (error) {
      logFailure(this.logger, error);
      return null;
    }
  }
}

export const REDIRECT_STEPS = REDIRECT_DEFINITIONS.map(({ name }) => name);

export interface DataLender {
  readonly name: string;
  readonly phone: string;
  readonly creditReport?: CreditReportTerms;
  /** Null: the lender itself, or an agent that it names later. */
  readonly recoveryAgent: string | null;
  readonly firms: readonly { readonly step: RedirectStep; readonly provider: ShownProvider }[];
}

/** The lender's relation to this applicant; null for an anonymous visitor. */
export type DataStanding = 'ASKED' | 'CHOSEN' | 'INSTANT_ASKED' | 'INSTANT_CHOSEN' | null;

interface ShownLender {
  readonly name: string;
  readonly phone: string;
  readonly standing: Shown;
  readonly lines: readonly Shown[];
}

const STANDINGS: Readonly<Record<NonNullable<DataStanding>, string>> = {
  ASKED: 'holders.lenders.asked',
  CHOSEN: 'holders.lenders.chosen',
  INSTANT_ASKED: 'holders.lenders.asked',
  INSTANT_CHOSEN: 'holders.lenders.instant.chosen',
};

const WITHOUT_STEPS: ReadonlySet<DataStanding> = new Set(['INSTANT_ASKED', 'INSTANT_CHOSEN']);

export function shownLender(
  { name, phone, creditReport, firms, recoveryAgent }: DataLender,
  standing: DataStanding,
): ShownLender {
  const hasSteps = !WITHOUT_STEPS.has(standing);
  const bureaus = creditReport?.bureaus.map((bureau) => BUREAU_NAMES[bureau]).join(', ');
  return {
    name,
    phone,
    standing: say(standing ? STANDINGS[standing] : 'holders.lenders.can'),
    lines: [
      bureaus === undefined ? say('holders.bureaus.unknown') : say('holders.bureaus', { bureaus }),
      ...(hasSteps && firms.length === 0 ? [say('holders.firms.unknown')] : []),
      ...(hasSteps ? firms : []).map(({ step, provider }) =>
        say('holders.firm', {
          step: say(redirectDefinition(step).textKeys.short),
          firm: provider.name,
          host: provider.host,
        }),
      ),
      recoveryAgent === null
        ? say('holders.recovery.lender')
        : say('holders.recovery.agent', { agent: recoveryAgent }),
    ],
  };
}

/** Empty before the applicant confirms; keyed by lender code. */
export function standingsOf({
  lenders,
  selected,
  isConfirmed,
}: Pick<HostedJourneyView, 'lenders' | 'selected' | 'isConfirmed'>): ReadonlyMap<
  string,
  DataStanding
> {
  if (!isConfirmed) return new Map();
  return new Map(
    lenders.map(({ code }) => [code, code === selected?.offer.lenderCode ? 'CHOSEN' : 'ASKED']),
  );
}

export function instantStandingsOf(
  asked: readonly string[],
  chosen: string | null,
): ReadonlyMap<string, DataStanding> {
  return new Map(asked.map((code) => [code, code === chosen ? 'INSTANT_CHOSEN' : 'INSTANT_ASKED']));
}

export interface DataWays {
  readonly backHref?: string;
  readonly stopHref?: string;
  /** An instant loan has no consent to withdraw, and expires unpaid. */
  readonly isInstant?: boolean;
}

/** @param consent the current text: it lists the details and the retention */
export function whoHasDataScreen(
  lenders: readonly ShownLender[],
  companies: CompaniesByName,
  ways: DataWays,
  { parts }: ConsentText,
): ScreenModel {
  const [who, details, , kept] = parts;
  return {
    titleKey: 'holders.title',
    lenders,
    smsCompany: companies.smsCompany,
    paymentCompanies: companies.paymentCompanies.join(', '),
    details,
    account: ways.isInstant ? say('holders.details.no-account') : who.note,
    kept,
    ...ways,
  };
}
