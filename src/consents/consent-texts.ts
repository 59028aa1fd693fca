import type { Language } from '../platform/index.js';
import {
  type Brand,
  type CreditBureau,
  type CreditReportTerms,
  type Lender,
} from '../settings/index.js';
import type { ConsentWay, KeptWording, Wording } from './wording.js';
import { WORDING_7 } from './wording-7.js';

interface NamedLender {
  readonly name: string;
  readonly creditReport?: CreditReportTerms;
}

export interface ConsentValues {
  readonly way: ConsentWay;
  readonly brandName: string;
  readonly lenders: readonly NamedLender[];
  readonly support: Brand['support'];
  readonly officer: Brand['grievance'];
  /** The longest retention, if configured. */
  readonly keptYears?: number;
}

interface ConsentPart {
  readonly heading: string;
  /** Shown while the part is folded; not in a partner's text. */
  readonly gist?: string;
  readonly points: readonly string[];
  readonly note: string;
}

export interface ConsentText {
  readonly version: string;
  readonly language: Language;
  readonly parts: readonly ConsentPart[];
  readonly agreement: string;
  readonly calls: string;
  readonly callsNote: string;
}

/** By version. A text that an applicant may have agreed to never changes (a test compares digests). */
export const CONSENT_TEXTS: Readonly<Record<string, Readonly<Record<Language, Wording>>>> = {
  '7': WORDING_7,
};

export const CONSENT_VERSION = '7';

const PLACEHOLDER = /\{(\w+)\}/g;
const BETWEEN_NAMES = '; ';
const LEGAL_FORM = / (?:Private )?Limited$/;

export const BUREAU_NAMES: Readonly<Record<CreditBureau, string>> = {
  CIBIL: 'TransUnion CIBIL',
  EXPERIAN: 'Experian',
  EQUIFAX: 'Equifax',
  CRIF_HIGH_MARK: 'CRIF High Mark',
};

export function consentValues(
  way: ConsentWay,
  { displayName, support, grievance }: Brand,
  lenders: readonly Pick<Lender, 'name' | 'terms'>[],
  keptYears?: number,
): ConsentValues {
  return {
    way,
    brandName: displayName,
    lenders: lenders.map(({ name, terms: { creditReport } }) => ({ name, creditReport })),
    support,
    officer: grievance,
    keptYears,
  };
}

export function consentText(
  language: Language,
  values: ConsentValues,
  version = CONSENT_VERSION,
): ConsentText {
  const wording = CONSENT_TEXTS[version][language];
  const known = fillIns(values);
  return {
    version,
    language,
    parts: filledParts(wording, values, known),
    agreement: filled(wording.agreement, known),
    calls: filled(wording.calls, known),
    callsNote: wording.callsNote,
  };
}

/** Without the consent to calls, which is separate. */
export function plainConsent({ parts, agreement }: ConsentText): string {
  return [
    ...parts.flatMap(({ heading, gist, points, note }) => [
      gist === undefined ? heading : `${heading}: ${gist}`,
      ...points,
      note,
    ]),
    agreement,
  ].join('\n');
}

export function callsVersion(version: string): string {
  return `${version}/CALLS`;
}

/** Each lender has its own line. */
export function namesLender(agreedTo: string, lenderName: string): boolean {
  return agreedTo.split('\n').includes(lenderName);
}

type FillIns = Readonly<Record<string, string>>;

function fillIns({ brandName, support, officer }: ConsentValues): FillIns {
  return {
    brandName,
    supportEmail: support.email,
    supportPhone: support.phone,
    officerName: officer.name,
    officerPhone: officer.phone,
    officerEmail: officer.email,
  };
}

function filled(text: string, known: FillIns): string {
  return text.replaceAll(PLACEHOLDER, (whole, name: string) => known[name] ?? whole);
}

function filledParts(
  { parts, enquiries, kept, keptGist }: Wording,
  { way, lenders, keptYears }: ConsentValues,
  known: FillIns,
): ConsentPart[] {
  const lists: Readonly<Record<string, () => string[]>> = {
    '{lenderName}': () => lenders.map(({ name }) => name),
    '{enquiries}': () => enquiryLines(enquiries, lenders),
    '{kept}': () => [keptLine(kept, keptYears)],
  };
  const gists = {
    ...known,
    lenderList: lenders.map(({ name }) => name.replace(LEGAL_FORM, '')).join(', '),
    keptGist: keptLine(keptGist, keptYears),
  };
  return parts.map(({ heading, gist, points, note }) => ({
    heading: filled(heading, known),
    ...(way === 'HOSTED' && { gist: filled(gist, gists) }),
    points: points
      .filter((point) => typeof point === 'string' || point.only === way)
      .map((point) => (typeof point === 'string' ? point : point.text))
      .flatMap((point) => lists[point]?.() ?? [filled(point, known)]),
    note: filled(note, known),
  }));
}

/** A line for each kind of enquiry; lenders of unknown kind last. */
function enquiryLines(
  { known, same, unknown, kinds }: Wording['enquiries'],
  lenders: readonly NamedLender[],
): string[] {
  const byLine = Map.groupBy(
    lenders.filter(({ creditReport }) => creditReport),
    ({ creditReport }) => {
      const { bureaus, forOffer, afterChoice } = creditReport!;
      const line = forOffer === afterChoice ? same : known;
      return filled(line, {
        bureaus: bureaus.map((bureau) => BUREAU_NAMES[bureau]).join(', '),
        forOffer: capitalised(kinds[forOffer]),
        afterChoice: kinds[afterChoice],
      });
    },
  );
  const others = lenders.filter(({ creditReport }) => !creditReport);
  return [...byLine, ...(others.length > 0 ? [[unknown, others] as const] : [])].map(
    ([line, theirs]) => filled(line, { lenderNames: namesOf(theirs) }),
  );
}

function keptLine({ one, other, unknown }: KeptWording, years: number | undefined): string {
  if (years === undefined) return unknown;
  return filled(years === 1 ? one : other, { years: String(years) });
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function namesOf(lenders: readonly NamedLender[]): string {
  return lenders.map(({ name }) => name).join(BETWEEN_NAMES);
}
