import type { Language } from '../platform/index.js';
import {
  type Brand,
  type CreditBureau,
  type CreditReportTerms,
  type Lender,
} from '../settings/index.js';
import type { ConsentWay, KeptWording, PlainWording, Wording, WordingInParts } from './wording.js';
import { WORDING_4 } from './wording-4.js';
import { WORDING_5 } from './wording-5.js';
import { WORDING_6 } from './wording-6.js';
import { WORDING_7 } from './wording-7.js';

/** A lender that will be asked: its legal name, and how it asks for the credit report, where that is known. */
export interface NamedLender {
  readonly name: string;
  readonly creditReport?: CreditReportTerms;
}

/** What is filled into a consent's text. */
export interface ConsentValues {
  readonly way: ConsentWay;
  readonly brandName: string;
  readonly lenders: readonly NamedLender[];
  readonly support: Brand['support'];
  readonly officer: Brand['grievance'];
  /** For how many years details are kept at most; absent where the configuration does not say. */
  readonly keptYears?: number;
}

/** A part of a consent as it is shown; the single part of a text up to version 3 has no heading and no note. */
export interface ConsentPart {
  readonly heading?: string;
  /** What our page shows while the part is folded. */
  readonly gist?: string;
  readonly points: readonly string[];
  readonly note?: string;
}

/** A consent as it is shown: part by part, and the sentences beside the boxes. */
export interface ConsentText {
  readonly version: string;
  readonly language: Language;
  readonly parts: readonly ConsentPart[];
  readonly agreement: string;
  /** Beside the box for calls, a consent of its own; null in versions that have none. */
  readonly calls: string | null;
  /** That the box for calls is no condition; null where `calls` says it. */
  readonly callsNote: string | null;
}

/** Of versions 1 to 3: they differ in the Hindi words for a lender and for a signature. */
const ENGLISH: PlainWording = {
  points: [
    'I ask {brandName} to share the details of this application with these lenders, so that they can make me loan offers: {lenderNames}.',
    'I allow these lenders, and {brandName} on their behalf, to get my credit report from the credit information companies (TransUnion CIBIL, Experian, Equifax and CRIF High Mark) to decide on this application.',
    'I allow {brandName} and the lender that I choose to contact me about this loan by SMS, by phone and by e-mail.',
    'My details are used for this application only, and are kept for as long as the law requires.',
    'I can take this consent back at any time by writing to {supportEmail} or by calling {supportPhone}. My application then ends; what I have already signed stays valid.',
  ],
  agreement: 'I have read this, and I agree.',
};

const HINDI_OF_2: PlainWording = {
  points: [
    'मेरा {brandName} से अनुरोध है कि इस आवेदन की जानकारी इन ऋणदाताओं (लोन देने वाली कंपनियों) को दी जाए, ताकि वे मुझे लोन के ऑफ़र दे सकें: {lenderNames}।',
    'मेरी अनुमति है कि इस आवेदन पर फ़ैसला करने के लिए ये ऋणदाता, और उनकी ओर से {brandName}, क्रेडिट जानकारी कंपनियों (TransUnion CIBIL, Experian, Equifax और CRIF High Mark) से मेरी क्रेडिट रिपोर्ट लें।',
    'मेरी अनुमति है कि {brandName} और मेरा चुना हुआ ऋणदाता इस लोन के बारे में मुझसे SMS, फ़ोन और ई-मेल से संपर्क करें।',
    'मेरी जानकारी सिर्फ़ इसी आवेदन के लिए इस्तेमाल होगी, और उतने ही समय तक रखी जाएगी जितना क़ानून कहता है।',
    'यह सहमति {supportEmail} पर लिखकर या {supportPhone} पर फ़ोन करके कभी भी वापस ली जा सकती है। तब मेरा आवेदन ख़त्म हो जाएगा; जिस पर मेरे साइन हो चुके हैं वह मान्य रहेगा।',
  ],
  agreement: 'मैंने यह पढ़ लिया है, और मैं सहमत हूँ।',
};

const HINDI_OF_3: PlainWording = {
  ...HINDI_OF_2,
  points: [
    ...HINDI_OF_2.points.slice(0, -1),
    'यह सहमति {supportEmail} पर लिखकर या {supportPhone} पर फ़ोन करके कभी भी वापस ली जा सकती है। तब मेरा आवेदन ख़त्म हो जाएगा; जिस पर मेरे हस्ताक्षर हो चुके हैं वह मान्य रहेगा।',
  ],
};

/**
 * Every consent that was ever asked for, by its version. A text that somebody may have agreed to is
 * never changed: a new wording is a new version (a test holds the digests).
 */
export const CONSENT_TEXTS: Readonly<Record<string, Readonly<Record<Language, Wording>>>> = {
  '1': {
    en: ENGLISH,
    hi: {
      points: [
        'मेरा {brandName} से अनुरोध है कि इस आवेदन की जानकारी इन लेंडरों (लोन देने वाली कंपनियों) को दी जाए, ताकि वे मुझे लोन के ऑफ़र दे सकें: {lenderNames}।',
        'मेरी अनुमति है कि इस आवेदन पर फ़ैसला करने के लिए ये लेंडर, और उनकी ओर से {brandName}, क्रेडिट जानकारी कंपनियों (TransUnion CIBIL, Experian, Equifax और CRIF High Mark) से मेरी क्रेडिट रिपोर्ट लें।',
        'मेरी अनुमति है कि {brandName} और मेरा चुना हुआ लेंडर इस लोन के बारे में मुझसे SMS, फ़ोन और ई-मेल से संपर्क करें।',
        'मेरी जानकारी सिर्फ़ इसी आवेदन के लिए इस्तेमाल होगी, और उतने ही समय तक रखी जाएगी जितना क़ानून कहता है।',
        'यह सहमति {supportEmail} पर लिखकर या {supportPhone} पर फ़ोन करके कभी भी वापस ली जा सकती है। तब मेरा आवेदन ख़त्म हो जाएगा; जिस पर मेरे साइन हो चुके हैं वह मान्य रहेगा।',
      ],
      agreement: 'मैंने यह पढ़ लिया है, और मैं सहमत हूँ।',
    },
  },
  '2': { en: ENGLISH, hi: HINDI_OF_2 },
  '3': { en: ENGLISH, hi: HINDI_OF_3 },
  '4': WORDING_4,
  '5': WORDING_5,
  '6': WORDING_6,
  '7': WORDING_7,
};

/** The version that is asked for today. */
export const CONSENT_VERSION = '7';

const PLACEHOLDER = /\{(\w+)\}/g;
const BETWEEN_NAMES = '; ';
const LEGAL_FORM = / (?:Private )?Limited$/;

/** As texts name them. */
export const BUREAU_NAMES: Readonly<Record<CreditBureau, string>> = {
  CIBIL: 'TransUnion CIBIL',
  EXPERIAN: 'Experian',
  EQUIFAX: 'Equifax',
  CRIF_HIGH_MARK: 'CRIF High Mark',
};

/** What the configuration says that goes into a consent for these lenders. */
export function consentValues(
  way: ConsentWay,
  { displayName, support, grievance }: Brand,
  lenders: readonly Pick<Lender, 'name' | 'terms'>[],
  keptYears?: number,
): ConsentValues {
  return {
    way,
    brandName: displayName,
    lenders: lenders.map(({ name, terms: { creditReport } }) => ({
      name,
      ...(creditReport && { creditReport }),
    })),
    support,
    officer: grievance,
    ...(keptYears !== undefined && { keptYears }),
  };
}

/** A consent, filled in: of the version that is asked for today unless another is named. */
export function consentText(
  language: Language,
  values: ConsentValues,
  version = CONSENT_VERSION,
): ConsentText {
  const wording = CONSENT_TEXTS[version][language];
  const known = fillIns(values);
  const isInParts = 'parts' in wording;
  return {
    version,
    language,
    parts: isInParts
      ? filledParts(wording, values, known)
      : [{ points: wording.points.map((point) => filled(point, known)) }],
    agreement: filled(wording.agreement, known),
    calls: isInParts ? filled(wording.calls, known) : null,
    callsNote: (isInParts && wording.callsNote) || null,
  };
}

/** Exactly what was agreed to, as one text; calls are a consent of their own. */
export function plainConsent({ parts, agreement }: ConsentText): string {
  return [
    ...parts.flatMap(({ heading, gist, points, note }) =>
      [gist === undefined ? heading : `${heading}: ${gist}`, ...points, note].filter(
        (line) => line !== undefined,
      ),
    ),
    agreement,
  ].join('\n');
}

/** Under which version a consent to calls is kept, beside the text of this version. */
export function callsVersion(version: string): string {
  return `${version}/CALLS`;
}

/** Whether applicants are asked about calls by themselves with this version. */
export function asksAboutCalls(version: string): boolean {
  return Object.values(CONSENT_TEXTS[version] ?? {}).some((wording) => 'calls' in wording);
}

/** Whether a text that was agreed to names the lender: its whole name, and no part of another's. */
export function namesLender(agreedTo: string, lenderName: string): boolean {
  // From version 4 on each has a line of its own.
  if (agreedTo.split('\n').includes(lenderName)) return true;
  return [': ', BETWEEN_NAMES].some((before) =>
    [BETWEEN_NAMES, '.', '।'].some((after) => agreedTo.includes(before + lenderName + after)),
  );
}

type FillIns = Readonly<Record<string, string>>;

function fillIns({ brandName, lenders, support, officer }: ConsentValues): FillIns {
  return {
    brandName,
    lenderNames: namesOf(lenders),
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
  { parts, enquiries, kept, keptGist }: WordingInParts,
  { way, lenders, keptYears }: ConsentValues,
  known: FillIns,
): ConsentPart[] {
  const lists: Readonly<Record<string, () => string[]>> = {
    '{lenderName}': () => lenders.map(({ name }) => name),
    '{enquiries}': () => enquiryLines(enquiries, lenders),
    '{kept}': () => (kept ? [keptLine(kept, keptYears)] : []),
  };
  const gists = {
    ...known,
    lenderList: lenders.map(({ name }) => name.replace(LEGAL_FORM, '')).join(', '),
    ...(keptGist && { keptGist: keptLine(keptGist, keptYears) }),
  };
  return parts.map(({ heading, gist, points, note }) => ({
    heading: filled(heading, known),
    ...(gist !== undefined && way === 'HOSTED' && { gist: filled(gist, gists) }),
    points: points
      .filter((point) => typeof point === 'string' || point.only === way)
      .map((point) => (typeof point === 'string' ? point : point.text))
      .flatMap((point) => lists[point]?.() ?? [filled(point, known)]),
    note: filled(note, known),
  }));
}

/** A line for each way in which lenders ask for the credit report; those of whom it is not known come last. */
function enquiryLines(
  { known, same, unknown, kinds }: WordingInParts['enquiries'],
  lenders: readonly NamedLender[],
): string[] {
  const byLine = Map.groupBy(
    lenders.filter(({ creditReport }) => creditReport),
    ({ creditReport }) => {
      const { bureaus, forOffer, afterChoice } = creditReport!;
      const line = forOffer === afterChoice ? (same ?? known) : known;
      return filled(line, {
        bureaus: bureaus.map((bureau) => BUREAU_NAMES[bureau]).join(', '),
        // From version 7 on it begins a sentence.
        forOffer: same ? capitalised(kinds[forOffer]) : kinds[forOffer],
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
