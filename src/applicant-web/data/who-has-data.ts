import { BUREAU_NAMES, type ConsentText } from '../../consents/index.js';
import {
  REDIRECT_DEFINITIONS,
  redirectDefinition,
  type RedirectStep,
} from '../../journey-steps/index.js';
import type { HostedJourneyView } from '../../journeys/index.js';
import type { ShownProvider } from '../../lenders/index.js';
import { type Language, type ScreenModel, translate } from '../../platform/index.js';
import type { CreditReportTerms } from '../../settings/index.js';
import type { CompaniesByName } from './outside-companies.js';

export const REDIRECT_STEPS = REDIRECT_DEFINITIONS.map(({ name }) => name);

/** A lender as far as it says where details go. */
export interface DataLender {
  readonly name: string;
  readonly phone: string;
  readonly creditReport?: CreditReportTerms;
  /** Who contacts a borrower who does not pay; null: the lender itself, or an agent that it names. */
  readonly recoveryAgent: string | null;
  /** Whose pages its redirect steps open on, where that is known. */
  readonly firms: readonly { readonly step: RedirectStep; readonly provider: ShownProvider }[];
}

/** How a lender stands to the applicant who looks, of a journey or of an instant loan; null where nobody is known. */
export type DataStanding = 'ASKED' | 'CHOSEN' | 'INSTANT_ASKED' | 'INSTANT_CHOSEN' | null;

interface ShownLender {
  readonly name: string;
  readonly phone: string;
  /** How the lender stands to the applicant who looks. */
  readonly standing: string;
  /** Bureaus, firms and who contacts whoever does not pay, a line each. */
  readonly lines: readonly string[];
}

const STANDINGS: Readonly<Record<NonNullable<DataStanding>, string>> = {
  ASKED: 'holders.lenders.asked',
  CHOSEN: 'holders.lenders.chosen',
  INSTANT_ASKED: 'holders.lenders.asked',
  INSTANT_CHOSEN: 'holders.lenders.instant.chosen',
};

/** An instant loan has no steps on the pages of a lender's firms. */
const WITHOUT_STEPS: ReadonlySet<DataStanding> = new Set(['INSTANT_ASKED', 'INSTANT_CHOSEN']);

/** What is told of the lenders. */
export function shownLender(
  { name, phone, creditReport, firms, recoveryAgent }: DataLender,
  standing: DataStanding,
  language: Language,
): ShownLender {
  const hasSteps = !WITHOUT_STEPS.has(standing);
  const bureaus = creditReport?.bureaus.map((bureau) => BUREAU_NAMES[bureau]).join(', ');
  return {
    name,
    phone,
    standing: translate(language, standing ? STANDINGS[standing] : 'holders.lenders.can'),
    lines: [
      bureaus === undefined
        ? translate(language, 'holders.bureaus.unknown')
        : translate(language, 'holders.bureaus', { bureaus }),
      ...(hasSteps && firms.length === 0 ? [translate(language, 'holders.firms.unknown')] : []),
      ...(hasSteps ? firms : []).map(({ step, provider }) =>
        translate(language, 'holders.firm', {
          step: translate(language, redirectDefinition(step).textKeys.short),
          firm: provider.name,
          host: provider.host,
        }),
      ),
      recoveryAgent === null
        ? translate(language, 'holders.recovery.lender')
        : translate(language, 'holders.recovery.agent', { agent: recoveryAgent }),
    ],
  };
}

/** How each lender that was told of this applicant stands, by its code. */
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

/** The same of an instant loan, whose lenders are asked as soon as the partner has told of it. */
export function instantStandingsOf(
  asked: readonly string[],
  chosen: string | null,
): ReadonlyMap<string, DataStanding> {
  return new Map(asked.map((code) => [code, code === chosen ? 'INSTANT_CHOSEN' : 'INSTANT_ASKED']));
}

/** Where an applicant who looks comes from, and where they can take their consent back; empty where nobody is known. */
export interface DataWays {
  readonly backHref?: string;
  readonly stopHref?: string;
  /** Whether it is of an instant loan: no consent of it is taken back, and unpaid it ends by itself. */
  readonly isInstant?: boolean;
}

/** @param consent the text of today's consent: which details there are, and for how long, is what it says */
export function whoHasDataScreen(
  lenders: readonly ShownLender[],
  companies: CompaniesByName,
  ways: DataWays,
  { parts }: ConsentText,
  language: Language,
): ScreenModel {
  const { smsCompany, paymentCompanies } = companies;
  const [who, details, , kept] = parts;
  return {
    titleKey: 'holders.title',
    lenders,
    smsCompany,
    paymentCompanies: paymentCompanies.join(', '),
    details,
    account: ways.isInstant ? translate(language, 'holders.details.no-account') : who.note,
    kept,
    ...ways,
  };
}
